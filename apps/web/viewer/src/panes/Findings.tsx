// What is wrong with the selected file, how much of its console it needs, and what is in it.
import { useSignal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { Empty, Icon, Problem, useLater } from '../frame/ui';
import { remember, remembered } from '../remembering';
import { core, files, gameOf, hovered, said, select, selection, shown, worldOptions } from '../state';
import { logOf, redo, rootOf, save, undo } from '../editing';
import { current, race, reopen } from '../showing';
import type { Budgets, Finding, Rule } from '../types';
import { counted, findingText, hintText, nameOf, offsetText } from '../words';
import { partName } from './Files';
import { checkProblem, checkWholeGame, findingsOf, gameProgress, goToFinding, hasChecked, wantFindings, wholeGame } from './findings';
import { Sounds, TexturesOfScene } from './Textures';

const order = ['error', 'stop', 'warning', 'hint'];
const rank = (f: Finding) => order.indexOf(f.severity);
export type Sheet = 'findings' | 'changes' | 'budget' | 'textures' | 'sounds' | 'summary';

export function FindingsPane() {
  const { file, part } = selection.value, [sheet, setSheet] = useState<Sheet>(remembered('sheet', 'findings'));
  const known = current.value?.path === file ? current.value : null, isFolder = known?.format === 'folder', together = `${known?.companions} ${known?.format} ${known?.edition}`, log = logOf(file);
  useEffect(() => { if (known && !isFolder) wantFindings(file, together); }, [file, together]);
  const budget = useLater((known && !isFolder) || part ? `${file}\n${part}\n${together}` : null, () => core.budget(file, part));
  const sounds = useLater(known?.kind === 'file' && known.scene ? `${file}\n${together}` : null, () => core.sounds(file).catch(() => []));
  const root = gameOf(file) ?? files.value.find((f) => f.path === file || file.startsWith(`${f.path}/`));
  if (!file) return <Empty icon="ok" title="Findings and budget">Problems in a file and how to fix them, and its use of the console's memory and other limits.</Empty>;
  const findings = findingsOf(file), isGame = root?.kind === 'game';
  const open = (to: Sheet) => { setSheet(to); remember('sheet', to); };
  const sheets: [Sheet, string, number | null][] = [['findings', 'Findings', findings.length || null]];
  if (log.made.length) sheets.push(['changes', 'Changes', log.at || null]);
  if (budget.value) sheets.push(['budget', 'Budget', budget.value.budgets.filter((b) => b.of && b.used > b.of).length || null]);
  if (shown.value?.data.images.length) sheets.push(['textures', 'Textures', null]);
  if (sounds.value?.length) sheets.push(['sounds', 'Sounds', null]);
  sheets.push(['summary', 'Summary', null]);
  const now = sheets.some(([id]) => id === sheet) ? sheet : 'findings';
  return (
    <div class="pane-body sheets">
      <div class="tabs" role="tablist" aria-label="Findings, budget, textures, sounds, summary">
        {sheets.map(([id, title, n], i) => (
          <button type="button" role="tab" key={id} id={`sheet-${id}`} aria-selected={now === id} aria-controls="sheet" tabIndex={now === id ? 0 : -1} onClick={() => open(id)} data-test={`sheet-${id}`}
            onKeyDown={(e) => {
              const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
              if (!by) return;
              const [to] = sheets[(i + by + sheets.length) % sheets.length];
              open(to);
              requestAnimationFrame(() => document.getElementById(`sheet-${to}`)?.focus());
            }}>{title}{n !== null && <span class="badge">{n}</span>}</button>
        ))}
      </div>
      <div id="sheet" class="sheet" role="tabpanel" aria-labelledby={`sheet-${now}`} tabIndex={0}>
        {now === 'findings' ? <Findings file={file} isGame={isGame} root={root?.path ?? ''} /> : now === 'changes' ? <Changes file={file} /> : now === 'budget' && budget.value ? <Budget budgets={budget.value} /> : now === 'textures' && shown.value ? <TexturesOfScene data={shown.value.data} />
          : now === 'sounds' && sounds.value ? <Sounds sounds={sounds.value} /> : <Summary file={file} />}
      </div>
    </div>
  );
}

/** What was edited, step by step; those that were undone can be made again. */
function Changes({ file }: { file: string }) {
  const { made, at } = logOf(file);
  const go = async (to: number) => {
    for (let now = logOf(file).at; now !== to; now = logOf(file).at) {
      await (now > to ? undo(file) : redo(file));
      if (logOf(file).at === now) return;
    }
  };
  const placeOf = (line: string) => /^[~+>-] ([^:\s]+)/.exec(line)?.[1] ?? '';
  return (
    <div data-test="changes">
      <p class="bar changes-bar">
        <button type="button" class="small" disabled={!at} onClick={() => void undo(file)}>Undo</button>
        <button type="button" class="small" disabled={at === made.length} onClick={() => void redo(file)}>Redo</button>
        <button type="button" class="small" disabled={!at} onClick={() => void save(file)}>Save {nameOf(rootOf(file))}</button>
      </p>
      <ol class="changes">
        {made.map(({ file: changed, done, lines }, i) => (
          <li key={i} class={i < at ? '' : 'undone'}>
            <details open={i === at - 1}>
              <summary>{done}{changed !== file && <span class="dim"> in {nameOf(changed)}</span>}</summary>
              <ul>{lines.slice(0, 200).map((line, k) => <li key={k}><button type="button" class={`change ${{ '+': 'plus', '-': 'minus' }[line[0]] ?? ''}`} onClick={() => select({ file: changed, path: placeOf(line) })}>{line}</button></li>)}
                {lines.length > 200 && <li class="dim">and {lines.length - 200} more</li>}</ul>
              {i + 1 !== at && <button type="button" class="small" onClick={() => void go(i + 1)}>{i < at ? 'Undo all edits after this one' : 'Redo all edits up to this one'}</button>}
            </details>
          </li>
        ))}
      </ol>
      {at > 0 && <button type="button" class="small" onClick={() => void go(0)}>Undo everything</button>}
    </div>
  );
}

function Findings({ file, isGame, root }: { file: string; isGame: boolean; root: string }) {
  const hidden = useSignal<string[]>([]), raced = useSignal<Finding[] | null>(null), racing = useSignal(false), problem = useSignal<Error | null>(null);
  useEffect(() => { raced.value = null; }, [root, file, current.value?.edition]);
  const own = findingsOf(file), game = isGame ? wholeGame.value.get(root) : undefined;
  const isOwn = (f: Finding) => f.file === file && own.some((o) => o.id === f.id && o.path === f.path && o.offset === f.offset);
  const all = [...own, ...(raced.value ?? []), ...(game?.found.filter((f) => !isOwn(f)) ?? [])].sort((a, b) => rank(a) - rank(b));
  const counts = order.map((s) => [s, all.filter((f) => f.severity === s).length] as const).filter(([, n]) => n);
  const failed = checkProblem(file), progress = gameProgress.value;
  const attempt = (work: () => Promise<void>) => {
    problem.value = null;
    void work().catch((e) => { problem.value = e as Error; });
  };
  const playRace = async () => {
    racing.value = true;
    try {
      raced.value = await core.simulate(file);
      said.value = `Simulated laps: ${counted(raced.value.length, 'finding')}`;
      const { show } = worldOptions.value;
      if (!show.includes(race)) worldOptions.value = { ...worldOptions.value, show: [...show, race] };
    } finally {
      racing.value = false;
    }
  };
  const isRaced = current.value?.simulates && raced.value?.length === 0, isOld = !!game && game.edits !== logOf(root).at;
  const tools = (
    <>
      {isGame && <div class="sheet-foot"><button type="button" class="small" disabled={!!progress} onClick={() => attempt(() => checkWholeGame(root))} data-test="check-game">{progress || (game ? 'Check the whole game again' : 'Check the whole game')}</button>
        {game && <span class="dim">{game.found.length ? counted(game.found.length, 'finding') : 'No problems found'} in all files{isOld ? ', before the last edits' : ''}</span>}</div>}
      {current.value?.simulates && raced.value === null && <div class="sheet-foot"><button type="button" class="small" disabled={racing.value} title="Finds shortcuts that count as a lap, and laps that do not count" onClick={() => attempt(playRace)} data-test="simulate">{racing.value ? 'Simulating…' : 'Simulate laps'}</button></div>}
      {problem.value && <Problem error={problem.value} />}
      {isRaced && <p class="dim padded" data-test="played">Laps simulated: nothing else was found. The picture shows the simulated laps.</p>}
    </>
  );
  if (!all.length)
    return (
      <>
        {tools}
        {current.value?.inParts ? <p class="dim padded">{current.value.format === 'folder' ? 'Choose a file to check it alone, or check all files together, including the references between them:' : 'Only parts of this file have been read.'}</p> : hasChecked(file) ? <Empty icon="ok" title="No problems found">{current.value?.format ? isGame ? `${nameOf(file)} passes every check of its format. The other files of the game were not checked.` : 'The file passes every check of its format.' : undefined}</Empty>
          : failed ? <Problem error={failed} again={() => wantFindings(file, `again ${Date.now()}`)} /> : <div class="dim padded">Checking…</div>}
      </>
    );
  return (
    <>
      {tools}
      {counts.length > 1 && (
        <div class="chips" role="group" aria-label="Show severities">
          {counts.map(([s, n]) => {
            const on = !hidden.value.includes(s);
            return <button type="button" key={s} class={`chip ${s}`} aria-pressed={on} onClick={() => { hidden.value = on ? [...hidden.value, s] : hidden.value.filter((h) => h !== s); }}>{counted(n, s)}</button>;
          })}
        </div>
      )}
      <ol class="findings" data-test="findings">
        {all.filter((f) => !hidden.value.includes(f.severity)).slice(0, 400).map((f, i) => <OneFinding key={`${f.id}${f.file}${f.path}${i}`} f={f} file={file} root={root} />)}
      </ol>
      {all.length > 400 && <p class="dim padded">The first 400 of {all.length.toLocaleString('en')} are listed.</p>}
    </>
  );
}

function OneFinding({ f, file, root }: { f: Finding; file: string; root: string }) {
  const open = useSignal(false), at = useSignal(-1), places = f.places ?? [], rule = useLater<Rule>(open.value ? f.id : null, () => core.explain(f.id));
  const target = f.file && root && f.file !== file && !file.endsWith(`/${f.file}`) && f.file.includes('/') ? (f.file.startsWith(`${root}/`) ? f.file : `${root}/${f.file}`) : file;
  const go = async () => {
    // A finding of several places: each click leads to the next.
    if (places.length) at.value = (at.value + 1) % places.length;
    await goToFinding(places[at.value] ?? f, target);
  };
  const icon = f.severity === 'stop' ? 'error' : f.severity;
  return (
    <li class={`finding ${f.severity}${f.path && f.path === selection.value.path ? ' selected' : ''}`} data-test="finding" data-id={f.id} onClick={(e) => { if (!(e.target as Element).closest('button, .rule')) void go(); }}>
      <button type="button" class="finding-main" onClick={() => void go()} onMouseEnter={() => { if (f.offset !== undefined) hovered.value = { offset: f.offset, size: f.size ?? 1 }; }} onMouseLeave={() => { hovered.value = null; }}>
        <span class="severity"><Icon name={icon} size={15} /><span class="hidden">{f.severity}: </span></span>
        <span class="finding-text">{findingText(f)}
          {(f.path || f.offset !== undefined) && <span class="where">{target !== file && <code>{target} </code>}{f.path && <code>{f.path}</code>} {f.offset !== undefined && <code>{offsetText(f.offset)}</code>}{places.length > 1 && <span> {at.value < 0 ? `and ${counted(places.length - 1, 'more place')}` : `place ${at.value + 1} of ${places.length.toLocaleString('en')}`}</span>}</span>}
        </span>
      </button>
      {hintText(f) && <p class="finding-hint">{hintText(f)}.</p>}
      <button type="button" class="why" aria-expanded={open.value} onClick={() => { open.value = !open.value; }}><Icon name={open.value ? 'down' : 'right'} size={10} /> <code>{f.id}</code></button>
      {open.value && (
        <div class="rule">
          {rule.error ? <p class="dim">There is no explanation for this finding.</p> : rule.value && <><p><strong>{rule.value.sentence}</strong></p>{rule.value.why && <p>{rule.value.why}</p>}{rule.value.fix && <p>What to do: {rule.value.fix}</p>}{rule.value.source && <p class="dim">Source: {rule.value.source}</p>}</>}
        </div>
      )}
    </li>
  );
}

const bigNumber = (n: number) => n.toLocaleString('en', { maximumFractionDigits: 2 });

function Budget({ budgets: { budgets, map, engine } }: { budgets: Budgets }) {
  const used = budgets.filter((b) => b.used), unused = budgets.filter((b) => !b.used);
  return (
    <div class="budget" data-test="budget">
      {engine && <p class="dim">These are the limits of the engine {engine}.</p>}
      {map && <MemoryMap map={map} />}
      <table>
        <thead class="hidden"><tr><th scope="col">Resource</th><th scope="col">Share</th><th scope="col">Used</th></tr></thead>
        <tbody>
          {used.map((b) => {
            const share = b.of ? b.used / b.of : 0, level = share > 1 ? 'error' : share > 0.85 ? 'warning' : 'ok';
            return (
              <tr key={b.name} title={b.about}>
                <th scope="row">{b.name}{b.about && <span class="about">{b.about}</span>}</th>
                <td class="share"><span class="meter" role="meter" aria-label={b.name} aria-valuenow={b.used} aria-valuemin={0} aria-valuemax={b.of}><span class={`fill ${level}`} style={{ width: `${Math.min(100, Math.max(share * 100, 0.8))}%` }} /></span></td>
                <td class="numbers">{bigNumber(b.used)} <span class="dim">of {bigNumber(b.of)} {b.unit}</span></td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {unused.length > 0 && <p class="dim">Not used: {unused.map((b) => b.name).join(', ')}.</p>}
    </div>
  );
}

const kinds: Record<string, string> = { reserved: 'var(--raised)', texture: 'var(--c0)', atlas: 'var(--c0)', clut: 'var(--c3)', palette: 'var(--c3)', font: 'var(--c4)' };
function MemoryMap({ map }: { map: NonNullable<Budgets['map']> }) {
  const { width, height, areas, grid } = map, lines = [];
  if (grid) {
    for (let x = grid.width; x < width; x += grid.width) lines.push(`M${x} 0V${height}`);
    for (let y = grid.height; y < height; y += grid.height) lines.push(`M0 ${y}H${width}`);
  }
  const found = [...new Set(areas.map((a) => a.kind))];
  const color = (kind: string) => kinds[kind] ?? `var(--c${[...kind].reduce((n, c) => n + c.charCodeAt(0), 0) % 6})`;
  return (
    <figure class="memory-map">
      <figcaption>{map.title[0].toUpperCase() + map.title.slice(1)} <span class="dim">{width} × {height} {map.unit}</span></figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${map.title}: ${areas.map((a) => a.name).join(', ')}`}>
        <rect width={width} height={height} fill="var(--bg)" />
        {areas.map((a, i) => <rect key={i} x={a.x} y={a.y} width={a.width} height={Math.max(a.height, 3)} fill={color(a.kind)} stroke="var(--line-strong)" stroke-width="1"><title>{`${a.name}: ${a.width} × ${a.height} at ${a.x}, ${a.y}`}</title></rect>)}
        <path d={lines.join('')} stroke="var(--line-strong)" stroke-opacity=".55" fill="none" />
        {areas.filter((a) => a.width > 150 && a.height > 60).map((a, i) => <text key={i} x={a.x + a.width / 2} y={a.y + a.height / 2} text-anchor="middle" dominant-baseline="middle" font-size="24" fill="var(--text)">{a.name}</text>)}
      </svg>
      <p class="legend">{found.map((k) => <span key={k}><i style={{ background: color(k) }} /> {k}</span>)}</p>
    </figure>
  );
}

function Summary({ file }: { file: string }) {
  const { part } = selection.value, game = part && gameOf(file)?.path;
  const described = useLater(game ? `${game}\n${part}` : null, () => core.describe(game!, part!).catch(() => null));
  const known = current.value, info = useLater(!known || known.inParts ? null : `${file}\n${known?.format}`, () => core.info(file));
  if (info.error && !known?.error) return <Problem error={info.error} again={info.again} />;
  const { value } = info;
  return (
    <div class="summary" data-test="summary">
      <dl>
        <dt>Format</dt><dd>{known?.title}{known?.platform ? `, ${known.platform}` : ''}</dd>
        {value?.reason && <><dt>Recognised by</dt><dd>{value.reason}</dd></>}
        <dt>Size</dt><dd>{counted(value?.size ?? known?.size ?? 0, 'byte')}</dd>
        {known && known.kind === 'file' && <><dt>Read as</dt><dd><ReadAs file={file} format={known.format} /></dd></>}
        {known?.error && <><dt>Problem</dt><dd>{findingText(known.error)}</dd></>}
      </dl>
      {value?.info && <Facts of={value.info} />}
      {described.value && <><h3>{partName(file, part!) ?? part}</h3><Facts of={described.value} /></>}
    </div>
  );
}
/** Files that look like several formats, or like none. */
function ReadAs({ file, format }: { file: string; format: string | null }) {
  const formats = useLater('formats', () => core.formats());
  return (
    <select aria-label="Read as" value={format ?? ''} onChange={(e) => void core.readAs(file, e.currentTarget.value).then(() => reopen(file))}>
      <option value="">Detected format</option>
      {formats.value?.map((f) => <option key={f.id} value={f.id}>{f.title}</option>)}
    </select>
  );
}
function Facts({ of }: { of: any }) {
  const simple = (v: any) => v === null || typeof v !== 'object';
  const text = (v: any) => (typeof v === 'number' ? bigNumber(v) : typeof v === 'boolean' ? (v ? 'yes' : 'no') : String(v));
  return (
    <dl>
      {Object.entries(of).map(([name, v]: [string, any]) => (
        <>
          <dt>{name.replace(/_/g, ' ')}</dt>
          <dd>{simple(v) ? text(v) : Array.isArray(v) && v.every(simple) ? v.map(text).join(', ') || 'none' : Array.isArray(v) ? v.map((one, i) => <Facts key={i} of={one} />) : Object.keys(v).length ? <Facts of={v} /> : 'none'}</dd>
        </>
      ))}
    </dl>
  );
}
