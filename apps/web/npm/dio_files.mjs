// dio_files.mjs: how the program dio.mjs reads and writes files.
import { closeSync, existsSync, linkSync, openSync, readFileSync, readSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, sep } from 'node:path';

import { DioramaError } from './core.mjs';

/** An error with the exit code of the program. `finding` has the form of the library's findings. */
export class Failure extends Error {
  constructor(exit, finding) {
    super(finding.message);
    this.exit = exit;
    this.finding = finding;
  }
}
const systemFailure = (id, file, message, hint) => new Failure(5, { id, file, message, ...(hint && { hint }) });
const reasons = { ENOENT: 'no such file', EACCES: 'permission denied', EPERM: 'operation not permitted', EISDIR: 'this is a folder, not a file', ENOSPC: 'no space left on device', EROFS: 'read-only file system' };
const reasonOf = ({ code, message }) => reasons[code] ?? code ?? message;

/** The state of a file, or undefined if there is none. */
function stateOf(name) {
  try {
    return statSync(name, { throwIfNoEntry: false });
  } catch (error) {
    throw systemFailure('io.read', name, reasonOf(error));
  }
}
const isFile = (name) => stateOf(name)?.isFile() ?? false;
const folderOf = (name) => name.slice(0, name.lastIndexOf('/') + 1);
/** A path as the library has it: with slashes. */
const slashed = (name) => (sep === '/' ? name : name.replaceAll(sep, '/'));

// ---- reading ----

function bytesOf(name) {
  try {
    return readFileSync(name);
  } catch (error) {
    throw systemFailure('io.read', name, reasonOf(error));
  }
}
/** The largest file that is read as a whole. Only the needed parts of larger files, such as disc images, are read. */
const mostRead = 256 << 20;

/** A function that reads a part of a file. */
const partsOf = (name) => (offset, length) => {
  const disk = openSync(name), bytes = new Uint8Array(length);
  try {
    return bytes.subarray(0, readSync(disk, bytes, 0, length, offset));
  } finally {
    closeSync(disk);
  }
};

/** The path of an archive on disk and the path of a member in it: game.nds/data/maps.narc/12. */
function archivePath(name) {
  for (let slash = name.indexOf('/', 1); slash > 0; slash = name.indexOf('/', slash + 1))
    if (isFile(name.slice(0, slash))) return [name.slice(0, slash), name.slice(slash + 1)];
  return null;
}

/** An opened file: {name, file, bytes, sibling}. sibling(name) returns the bytes of another file in its folder, or null. */
export function openInput(diorama, argument, options = {}) {
  const name = slashed(argument), inside = existsSync(name) ? null : archivePath(name);
  if (inside) return openMember(diorama, ...inside, options);
  const size = stateOf(name)?.size ?? 0;
  if (size > mostRead) return { name, file: diorama.openParts(size, name, partsOf(name)), bytes: [], sibling: () => null };
  const bytes = bytesOf(name);
  return { name, file: diorama.open(bytes, name, options), bytes, sibling: (other) => (isFile(other) ? bytesOf(other) : null) };
}
const openMember = (diorama, path, member, options) => memberInput(diorama, openInput(diorama, path).file, path, member, options);
function memberInput(diorama, archive, path, member, options) {
  const name = `${path}/${member}`, bytes = archive.member(member);
  const sibling = (other) => {
    try {
      return archive.member(other.slice(path.length + 1));
    } catch (error) {
      if (error instanceof DioramaError) return null;
      throw error;
    }
  };
  return { name, file: diorama.open(bytes, name, options), bytes, sibling, archive, member };
}
/** The files in the archive of a course, also in archives in it; empty for other files. */
export function membersOf(diorama, { name, file, archive }) {
  const isCourse = file.format === 'u8' || (file.format === 'yaz0' && diorama.open(file.member('')).format === 'u8');
  return archive || file.error || !isCourse ? [] : membersBelow(diorama, file, name, '', file, 8);
}
function membersBelow(diorama, archive, path, folder, file, depth) {
  return file.members().flatMap(({ path: member }) => {
    const input = memberInput(diorama, archive, path, folder + member, {});
    const isArchive = depth > 1 && !input.file.error && diorama.formats().find(({ id }) => id === input.file.format)?.archive;
    return [input, ...(isArchive ? membersBelow(diorama, archive, path, `${folder}${member}/`, input.file, depth - 1) : [])];
  });
}

/** The files of the folder that belong to an input: [{name, bytes}]. */
export function companionsOf({ file, sibling }) {
  const isReadable = !file.error || /\.(glb|gltf|obj)$/i.test(file.name);
  const names = isReadable ? file.beside() : [];
  return { looked: names.length > 0, files: names.map((name) => ({ name, bytes: sibling(name) })).filter(({ bytes }) => bytes) };
}
/** The file of an input, combined with the files of its folder that belong to it. */
export function withCompanions(diorama, input) {
  const { looked, files } = companionsOf(input);
  if (!looked) return input.file;
  const file = input.file.together(...files.map(({ name, bytes }) => diorama.open(bytes, name)));
  // An .obj names the files of its materials, which name pictures.
  const seen = new Set(files.map(({ name }) => name)), more = companionsOf({ ...input, file }).files.filter(({ name }) => !seen.has(name));
  return more.length ? file.together(...more.map(({ name, bytes }) => diorama.open(bytes, name))) : file;
}

/** The game in the folder of a file, if the folder has a list of map files (.GNS) with the name of the file; null for other files. */
function gameOfFolder(diorama, name) {
  const stem = name.slice(0, name.length - extname(name).length);
  if (![name, `${stem}.gns`, `${stem}.GNS`].some((one) => /\.gns$/i.test(one) && isFile(one))) return null;
  const folder = folderOf(name);
  const names = readdirSync(folder || '.').filter((one) => isFile(folder + one));
  const files = names.map((path) => ({ path, size: stateOf(folder + path).size, read: partsOf(folder + path) }));
  return diorama.openGame(files, folder);
}
/** The game that an input belongs to, and the part of it that the input is: {game, part}. Null if there is none. */
export function gameOf(diorama, { name, archive, member }) {
  try {
    const game = archive ? archive.game() : gameOfFolder(diorama, name), path = member ?? basename(name);
    const part = game?.parts().find((one) => one.path === path);
    return part ? { game, part: part.id } : null;
  } catch (error) {
    if (error instanceof DioramaError) return null;
    throw error;
  }
}

// ---- writing ----

/** Throws if a file may not be written. `inputs` are the names of the files that were read. */
function checkOutput(name, inputs, force) {
  const found = stateOf(name);
  if (!found) return;
  if (found.isDirectory()) throw systemFailure('io.write', name, 'this is a folder, not a file');
  if (!found.isFile()) throw systemFailure('io.write', name, 'this is not a regular file; -o - writes to standard output');
  if (inputs.some((input) => existsSync(input) && realpathSync(input) === realpathSync(name))) throw systemFailure('io.exists', name, 'the output is the input itself');
  if (!force) throw systemFailure('io.exists', name, 'the file already exists', '-f overwrites it');
}
/** Writes a file under a temporary name in the same folder. Returns the temporary name. */
function writeTemporary(name, bytes) {
  const folder = dirname(name), temporary = join(folder, `.${basename(name)}.${process.pid}.tmp`);
  if (!existsSync(folder)) throw systemFailure('io.write', name, `no such folder: ${folder}`);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
  } catch (error) {
    if (error.code !== 'EEXIST') rmSync(temporary, { force: true });
    throw systemFailure('io.write', name, reasonOf(error));
  }
  return temporary;
}
/** Gives a file its name. Without `force`, a file that another program has just created stays as it is. */
function rename(temporary, name, force) {
  try {
    if (!force) linkSync(temporary, name);
    else renameSync(temporary, existsSync(name) ? realpathSync(name) : name);
  } catch (error) {
    if (error.code === 'EEXIST') throw systemFailure('io.exists', name, 'the file already exists', '-f overwrites it');
    if (force) throw systemFailure('io.write', name, reasonOf(error));
    renameSync(temporary, name); // a file system without hard links
  }
}
/** Writes all files, [{name, bytes}], or none. */
export function writeFiles(files, inputs, force) {
  for (const { name } of files) checkOutput(name, inputs, force);
  const written = [];
  try {
    for (const { name, bytes } of files) written.push({ name, temporary: writeTemporary(name, bytes) });
    for (const { name, temporary } of written) rename(temporary, name, force);
  } finally {
    for (const { temporary } of written) rmSync(temporary, { force: true });
  }
}
