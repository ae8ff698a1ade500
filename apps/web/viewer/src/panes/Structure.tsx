// The values of the selected file as a tree: names, values with their units and words, what they mean.
import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Empty, Icon, IconButton, Problem, Search, VirtualList, coarse, copyText, useKept, useLater, type ListHandle } from '../frame/ui';
import { elementOf } from '../paths';
import { Colors } from './Colors';
import { FileName } from './Files';
import { others, toggleTogether } from '../together';
import { add, clipboard, copy, duplicate, followed, isEditable, moveBy, moveTo, paste, removeElement, setValue, underWay } from '../editing';
import { core, hovered, lastPlace, said, select, selection, tell } from '../state';
import { current } from '../showing';
import { TreeModel, type Row } from '../tree';
import { isUnknown, type Branch, type Finding, type Leaf, type OpenFile } from '../types';
import { refresh } from '../opening';
import { titleOfSection } from '../formats';
import { counted, findingText, hintText, offsetText, sentence, sizeText, stepsOf, valueText } from '../words';
import { goToPart, partName } from './Files';
import { findingsOf, goToFinding } from './findings';

const k_row = coarse ? 34 : 22;

export function StructurePane() {
  const { file, path } = selection.value, known = current.value;
  const isFolder = known?.path === file && known.format === 'folder';
  const model = useMemo(() => (file && !isFolder ? new TreeModel(file) : null), [file, known?.path === file ? `${known.companions} ${known.format}` : '']);
  useEffect(() => () => model?.close(), [model]);
  const edition = known?.path === file ? known.edition : 0, atEdition = useRef(edition);
  useEffect(() => {
    if (model && edition !== atEdition.current) void model.refresh(followed.file === file && followed.edition === edition ? followed.follow : (p) => p);
    atEdition.current = edition;
  }, [model, edition]);
  const text = useSignal(''), list = useRef<ListHandle>(null), at = useSignal(-1), wanted = useRef<number | null>(null), into = useRef<() => void>(() => {}), back = useRef(false);
  // What has no row, as a magic number, is shown by the row that holds it.
  const holder = useSignal({ of: '', path: '' }), shownPath = model && holder.value.of === path && model.rowOf(path) < 0 ? holder.value.path : path;
  const kept = useKept();
  model?.version.value;
  const find = text.value.trim(), isFinding = !!find;

  // Rows above it that open and close move it.
  if (model && path) {
    const now = model.rowOf(shownPath);
    if (now >= 0 && now !== at.peek()) queueMicrotask(() => { at.value = now; });
  }
  // The row of the selection follows it; while a search lists other rows, it waits.
  useEffect(() => {
    if (!model || isFinding) return;
    const near = model.rowOf(path);
    if (near >= 0) {
      at.value = near;
      list.current?.reveal(near);
      return;
    }
    let stale = false;
    void model.reveal(path).then((row) => {
      if (stale) return;
      at.value = row;
      if (row < 0) return;
      const found = model.row(row)?.leaf?.path;
      if (found && found !== path && path.startsWith(found)) holder.value = { of: path, path: found };
      list.current?.reveal(row);
    }, () => { at.value = -1; });
    return () => { stale = true; };
  }, [model, path, isFinding, edition]);

  useEffect(() => {
    text.value = '';
    if (!selection.peek().path) list.current?.element?.scrollTo(0, 0);  // of another file
  }, [file]);
  // After a search the keys go on in the tree, where the row is that was found: it may have been revealed while the tree was not there.
  useLayoutEffect(() => {
    if (back.current && !text.value) list.current?.element?.focus();
    const row = text.value || !model ? -1 : model.rowOf(shownPath);
    if (row >= 0) list.current?.reveal(row);
    back.current = false;
  }, [text.value]);

  if (isFolder) return <Empty icon="game" title={known.title}>Choose a file of the game, or click something in the picture, to see its values.</Empty>;
  if (!file || !model)
    return <Empty icon="collapse" title="Structure">Every value of a file by name, with its unit and meaning.</Empty>;
  const error = known?.error, besides = others();
  const choose = (row: Row | null, how: 'push' | 'replace' = 'push') => {
    if (!row?.leaf) return;
    const { offset, size } = row.leaf;
    if (offset !== undefined && size) lastPlace.value = { file, path: row.leaf.path, offset, size };
    select({ path: row.leaf.path }, how);
    said.value = `${row.leaf.name} ${valueText(row.leaf)}`;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const now = wanted.current ?? (path ? Math.max(model.rowOf(shownPath), -1) : at.value), row = now >= 0 ? model.row(now) : null, page = list.current?.fit() ?? 10;
    const go = (to: number) => {
      const next = Math.max(0, Math.min(model.count - 1, to));
      list.current?.reveal(next);
      const target = model.row(next);
      if (target?.leaf) {
        wanted.current = null;
        return choose(target);
      }
      // Its window is on the way; the keys that follow go on from there.
      wanted.current = at.value = next;
      void model.rowLater(next).then((found) => {
        if (wanted.current !== next) return;
        wanted.current = null;
        choose(found);
      });
    };
    const ctrl = e.ctrlKey || e.metaKey, canEdit = isEditable(file) && !!path;
    if (ctrl || e.altKey) {
      if (ctrl && e.key === 'c' && !String(getSelection()) && path) {
        void copyText(path).then(() => tell('Path copied'));
        if (canEdit) void copy(file, path, true);
      }
      else if (canEdit && ctrl && e.key === 'v') paste(file, path);
      else if (canEdit && ctrl && e.key === 'd') duplicate(file, path);
      else if (canEdit && e.altKey && (e.key === 'ArrowUp' || e.key === 'ArrowDown')) moveBy(file, path, e.key === 'ArrowUp' ? -1 : 1);
      else return;
      e.preventDefault();
      return;
    }
    if (canEdit && (e.key === 'F2' || (e.key === 'Enter' && row?.leaf && !row.leaf.count))) editedPath.value = row?.leaf && !row.leaf.count ? path : '';
    else if (canEdit && e.key === 'Delete') removeElement(file, path);
    else if (canEdit && e.key === 'Insert') add(file, path, canAddTo(path, row?.leaf));
    else if (e.key === 'ArrowDown') go(now + 1);
    else if (e.key === 'ArrowUp') go(now - 1);
    else if (e.key === 'PageDown') go(now + page);
    else if (e.key === 'PageUp') go(now - page);
    else if (e.key === 'Home') go(0);
    else if (e.key === 'End') go(model.count - 1);
    else if (e.key === 'ArrowRight' && row) { if (row.open) go(now + 1); else void model.toggle(row, true); }
    else if (e.key === 'ArrowLeft' && row) { if (row.open) void model.toggle(row, false); else if (row.parent) select({ path: row.parent }); }
    else if ((e.key === 'Enter' || e.key === ' ') && row) void model.toggle(row);
    else return;
    e.preventDefault();
  };
  return (
    <div class="pane-body structure">
      <div class="bar">
        <Search label="Find a name, path or value" value={text.value} onInput={(v) => { text.value = v; }} test="find-value" onDown={() => { list.current?.element?.focus(); if (find) into.current(); }} />
        <IconButton icon="collapse" label="Collapse all rows" onClick={() => { model.closeAll(); at.value = -1; }} />
      </div>
      {isEditable(file) && <EditBar file={file} path={path} isList={canAddTo(path, model.row(model.rowOf(path))?.leaf)} />}
      {error && (
        <button type="button" class={`notice${isUnknown(known) ? '' : ' error'}`} data-test="file-error" onClick={() => goToFinding(error, file)}>
          <Icon name={isUnknown(known) ? 'hint' : 'error'} />
          <span><strong>{known.format ? 'This file could not be read completely.' : 'The format of this file is unknown.'}</strong> {sentence(findingText(error))}{error.path && <code> {error.path}</code>}{error.offset !== undefined && <code> {offsetText(error.offset)}</code>}{hintText(error) && <em>{hintText(error)}.</em>}</span>
        </button>
      )}
      {known?.inParts ? <InParts file={known} again={() => model.again()} /> : model.failure.value && known?.format !== null && <Problem error={model.failure.value} again={() => model.again()} />}
      {find ? <Found file={file} edition={edition ?? 0} text={find} path={path} handle={list} into={into} clear={() => { back.current = true; text.value = ''; }} /> : (
        <VirtualList class="tree" data-test="structure" count={model.count} rowHeight={k_row} handle={list} inner="rowgroup" role="treegrid" tabIndex={0}
          aria-label="Values of the file" aria-rowcount={model.count} aria-activedescendant={at.value >= 0 ? `value-${at.value}` : undefined} onKeyDown={onKeyDown}
          onMouseLeave={() => { hovered.value = null; }}
          row={(i) => {
            const row = model.row(i), leaf = row?.leaf, isSelected = !!leaf && (leaf.path === shownPath || besides.includes(leaf.path)), isUnread = !!leaf && isBeyond(leaf, error);
            const preview = leaf && !isUnread && !valueText(leaf) ? model.preview(leaf) : null;
            return kept(i, [model, leaf, row?.open, row?.depth, row?.index, row?.siblings, isSelected, isUnread, preview, edition, !!leaf && editedPath.value === leaf.path], () => <ValueRow file={file} model={model} at={i} row={row} isSelected={isSelected} isUnread={isUnread} preview={preview} choose={choose} done={() => list.current?.element?.focus()} />);
          }} />
      )}
      <Detail file={file} path={path} edition={edition} error={error} />
    </div>
  );
}

/** The value that is being typed. */
const editedPath = signal('');

/** Whether elements are added to it: a list, or a section that has one. */
const canAddTo = (path: string, leaf?: Leaf | null) => leaf?.type === 'list' || (!!leaf && titleOfSection(path) !== '');

/** What can be done with the element that is selected. */
function EditBar({ file, path, isList }: { file: string; path: string; isList: boolean }) {
  const element = elementOf(path), copied = clipboard.value, none = !element, more = others().length, what = element && (more ? counted(more + 1, 'element') : element.path);
  return (
    <div class="bar edit-bar" role="toolbar" aria-label="Edit" aria-busy={underWay.value > 0} data-test="edit-bar">
      <IconButton icon="add" label={isList ? `Add to ${path}` : element ? `Add to ${element.list}, after this element` : 'Add: first select a list or an element of a list'} keys="Insert" disabled={none && !isList} onClick={() => add(file, path, isList)} test="edit-add" />
      <IconButton icon="duplicate" label={element ? `Duplicate ${what}` : 'Duplicate: first select an element of a list'} keys="Ctrl+D" disabled={none} onClick={() => duplicate(file, path)} test="edit-duplicate" />
      <IconButton icon="remove" label={element ? `Delete ${what}` : 'Delete: first select an element of a list'} keys="Delete" disabled={none} onClick={() => removeElement(file, path)} test="edit-remove" />
      <IconButton icon="up" label="Move up" keys="Alt+Up" disabled={none || element.index === 0} onClick={() => moveBy(file, path, -1)} test="edit-up" />
      <IconButton icon="down" label="Move down" keys="Alt+Down" disabled={none} onClick={() => moveBy(file, path, 1)} test="edit-down" />
      <IconButton icon="copy" label={element ? `Copy ${element.path}` : 'Copy: first select an element of a list'} keys="Ctrl+C" disabled={none} onClick={() => void copy(file, path)} test="edit-copy" />
      <IconButton icon="paste" label={copied ? `Paste ${copied.from} into ${copied.list}` : 'Paste: first copy an element'} keys="Ctrl+V" disabled={!copied} onClick={() => paste(file, path)} test="edit-paste" />
      <span class="dim grow" data-test="edit-what">{element ? what : isList ? path : ''}</span>
    </div>
  );
}

/** Typed over a value: what it would change, or why it cannot be, is said while one types. */
function ValueField({ file, leaf, done }: { file: string; leaf: Leaf; done: () => void }) {
  const before = leaf.value === undefined || leaf.value === null ? '' : String(leaf.value), text = useSignal(before), box = useRef<HTMLInputElement>(null), gone = useRef(false);
  const words = useLater(`${file}\n${leaf.path}`, () => core.words(file, leaf.path)), suggested = `words of ${leaf.path}`;
  const tried = useLater(text.value === before ? null : `${file}\n${leaf.path}\n${text.value}`, () => core.tryEdit(file, ['set', `${leaf.path}=${text.value}`]));
  useLayoutEffect(() => { box.current?.focus(); box.current?.select(); }, []);
  const end = (make: boolean, dropped = false) => {
    if (gone.current) return;
    gone.current = true;
    editedPath.value = '';
    if (make && text.value !== before) void setValue(file, leaf.path, text.value);
    else if (text.value !== before && !dropped) tell(`${leaf.name} stays ${before}: press Enter to apply a typed value`);
    done();
  };
  const problem = tried.error, lines = tried.value;
  return (
    <span class="value-field" onClick={(e) => e.stopPropagation()} onDblClick={(e) => e.stopPropagation()}>
      <input ref={box} type="text" value={text.value} aria-label={`Value of ${leaf.path}`} aria-invalid={!!problem} spellcheck={false} autocomplete="off" data-test="value-field" list={words.value?.length ? suggested : undefined}
        onInput={(e) => { text.value = e.currentTarget.value; }} onBlur={() => end(false)}
        onKeyDown={(e) => {
          e.stopPropagation();
          if (e.key === 'Enter') {
            if (problem) tell(problem.message);
            else end(true);
          } else if (e.key === 'Escape') end(false, true);
        }} />
      {!!words.value?.length && <datalist id={suggested} data-test="value-words">{words.value.map(({ word, value }) => <option key={word} value={word} label={`${value}`} />)}</datalist>}
      {(problem || (lines && lines.length > 1)) && <span class={`value-hint${problem ? ' error' : ''}`} role="status">{problem ? problem.message : `This edit changes ${counted(lines!.length, 'value')}`}</span>}
    </span>
  );
}
/** Whether a file could not be read as far as a value. */
const isBeyond = ({ type, size, offset }: Leaf, error?: Finding | null) =>
  (type === 'object' || type === 'list') && !size && offset !== undefined && error?.offset !== undefined && offset >= error.offset;

/** Large archives are read in parts: their values are there on request. */
function InParts({ file, again }: { file: OpenFile; again: () => void }) {
  return (
    <div class="padded">
      <p>{file.title} of {sizeText(file.size)}: only parts of this file have been read.</p>
      <p><button type="button" class="small" onClick={() => void core.readWhole(file.path).then(() => refresh(file.path)).then(again)}>Read the whole file to see its values</button></p>
    </div>
  );
}

/** `isUnread`: the file could not be read that far; it is not empty. */
function ValueRow({ file, model, at, row, isSelected, isUnread, preview, choose, done }: { file: string; model: TreeModel; at: number; row: Row | null; isSelected: boolean; isUnread: boolean; preview: string | null; choose: (row: Row) => void; done: () => void }) {
  const leaf = row?.leaf;
  if (!row || !leaf) return <div class="row loading" role="row" id={`value-${at}`}><span role="gridcell">…</span></div>;
  const value = valueText(leaf), isTyped = editedPath.value === leaf.path, isElement = /\]$/.test(leaf.path) && !!leaf.count, isDragged = isElement && isEditable(file);
  const below = (e: DragEvent) => e.offsetY > (e.currentTarget as HTMLElement).clientHeight / 2;
  return (
    <div draggable={isDragged || undefined} onDragStart={isDragged ? (e) => { e.dataTransfer!.setData('text/diorama-path', leaf.path); e.dataTransfer!.effectAllowed = 'move'; } : undefined}
      onDragOver={isDragged ? (e) => {
        if (!e.dataTransfer?.types.includes('text/diorama-path')) return;
        e.preventDefault();
        (e.currentTarget as HTMLElement).dataset.drop = below(e) ? 'below' : 'above';
      } : undefined}
      onDragLeave={isDragged ? (e) => { delete (e.currentTarget as HTMLElement).dataset.drop; } : undefined}
      onDrop={isDragged ? (e) => {
        const from = e.dataTransfer?.getData('text/diorama-path');
        delete (e.currentTarget as HTMLElement).dataset.drop;
        if (!from) return;
        e.preventDefault();
        e.stopPropagation();
        moveTo(file, from, leaf.path, below(e));
      } : undefined}
      class={`row${isSelected ? ' selected' : ''}`} role="row" id={`value-${at}`} aria-level={row.depth + 1} aria-posinset={row.index + 1} aria-setsize={row.siblings}
      aria-expanded={leaf.count ? row.open : undefined} aria-selected={isSelected} data-path={leaf.path} title={leaf.doc}
      onClick={(e) => { if ((e.ctrlKey || e.metaKey) && isElement) toggleTogether(file, leaf.path); else choose(row); }} onDblClick={() => { if (leaf.count || !isEditable(file)) void model.toggle(row); else editedPath.value = leaf.path; }}
      onMouseEnter={() => { hovered.value = leaf.offset !== undefined && leaf.size ? { offset: leaf.offset, size: leaf.size } : null; }}>
      <span class="name-cell" role="gridcell" style={{ paddingLeft: `${6 + row.depth * 14}px` }}>
        <span class={`twist${leaf.count ? (row.open ? ' open' : '') : ' none'}`} onClick={(e) => { e.stopPropagation(); void model.toggle(row); }}>
          {leaf.count > 0 && <Icon name="right" size={10} />}
        </span>
        <span class="name">{leaf.name}</span>
      </span>
      <span class="value-cell" role="gridcell">
        {isUnread ? <span class="unread">not read</span> : isTyped ? <ValueField file={file} leaf={leaf} done={done} /> : value ? <span class="value">{value.length > 160 ? `${value.slice(0, 160)}…` : value}</span>
          : leaf.count ? <span class="preview">{titleOfSection(leaf.name) && <b>{titleOfSection(leaf.name)}</b>}{preview ?? counted(leaf.count, leaf.type === 'object' ? 'field' : leaf.type === 'list' ? 'entry' : 'value', leaf.type === 'list' ? 'entries' : undefined)}</span> : null}
      </span>
      {leaf.type !== 'object' && leaf.type !== 'list' && <span class="type-cell" role="gridcell">{leaf.type}</span>}
    </div>
  );
}

/** `into`: selects the first one. */
function Found({ file, edition, text, path, handle, into, clear }: { file: string; edition: number; text: string; path: string; handle: { current: ListHandle | null }; into: { current: () => void }; clear: () => void }) {
  const found = useLater(`${file}\n${edition}\n${text}`, () => core.findValues(file, text, 5000));
  // What is listed until the answer comes belongs to an earlier text: keys wait for it.
  const waiting = useRef<(() => void)[]>([]), list = found.value?.found ?? [], shown = useRef(list);
  shown.current = list;
  useEffect(() => {
    if (!found.loading) for (const go of waiting.current.splice(0)) go();
  }, [found.loading, list]);
  if (found.error) return <Problem error={found.error} again={found.again} />;
  const go = (to: (now: number) => number) => {
    const move = () => {
      const all = shown.current, { path } = selection.peek(), next = Math.max(0, Math.min(all.length - 1, to(all.findIndex((leaf) => leaf.path === path))));
      if (!all[next]) return;
      handle.current?.reveal(next);
      select({ path: all[next].path });
      said.value = `${all[next].path} ${valueText(all[next])}`;
    };
    if (found.loading) waiting.current.push(move);
    else move();
  };
  into.current = () => go(() => 0);
  /** Back to the tree, with the value ready to be typed. */
  const edits = (path: string) => {
    clear();
    if (isEditable(file)) editedPath.value = path;
  };
  return (
    <>
      <div class="found-count" role="status">{found.value ? (found.value.total ? counted(found.value.total, 'value') : `No name, path or value contains “${text}”`) : 'Searching…'}
        {found.value && found.value.total > list.length ? `; the first ${list.length.toLocaleString('en')} are listed` : ''}</div>
      <VirtualList class="tree found" data-test="found" count={list.length} rowHeight={k_row} handle={handle} inner="presentation" role="listbox" tabIndex={0} aria-label="Values found"
        onKeyDown={(e) => {
          if (e.ctrlKey || e.metaKey || e.altKey) return;
          const page = handle.current?.fit() ?? 10;
          if (e.key === 'ArrowDown') go((now) => now + 1);
          else if (e.key === 'ArrowUp') go((now) => now - 1);
          else if (e.key === 'PageDown') go((now) => now + page);
          else if (e.key === 'PageUp') go((now) => now - page);
          else if (e.key === 'Home') go(() => 0);
          else if (e.key === 'End') go(() => Infinity);
          else if (e.key === 'Escape') clear();
          else if (e.key === 'Enter') edits(selection.peek().path);
          else return;
          e.preventDefault();
        }}
        row={(i) => {
          const leaf = list[i];
          return (
            <div class={`row${leaf.path === path ? ' selected' : ''}`} role="option" aria-selected={leaf.path === path} onClick={() => select({ path: leaf.path })} onDblClick={() => edits(leaf.path)}>
              <span class="name-cell"><FileName name={leaf.path} /></span>
              <span class="value-cell"><span class="value">{valueText(leaf).slice(0, 120)}</span></span>
            </div>
          );
        }} />
    </>
  );
}

/** To what an element refers and what refers to it, as links. */
function References({ file, refs }: { file: string; refs: Awaited<ReturnType<typeof core.refs>> }) {
  const most = 6, list = (title: string, all: { to: string; exists: boolean; part?: boolean }[]) => all.length > 0 && (
    <p class="refs"><span class="dim">{title}</span> {all.slice(0, most).map(({ to, exists, part }) => part ? <button type="button" class="crumb" key={to} title="Another part of the game" onClick={() => goToPart(file, to)}>{to}{partName(file, to) && ` ${partName(file, to)}`}</button> : <button type="button" class={`crumb${exists ? '' : ' missing'}`} key={to} title={exists ? undefined : 'This element does not exist'} disabled={!exists} onClick={() => select({ path: to.replace(/\[(\d+)-\d+\]$/, '[$1]') })}>{to}</button>)}{all.length > most && <span class="dim"> and {all.length - most} more</span>}</p>
  );
  return (
    <div data-test="refs">
      {list('Refers to', refs.refers_to)}
      {list('Referred to by', refs.referred_by.map(({ from }) => ({ to: from, exists: true })))}
    </div>
  );
}

/** What the selected value means. */
function Detail({ file, path, edition, error }: { file: string; path: string; edition: number; error?: Finding | null }) {
  const branch = useLater<Branch>(path ? `${file}\n${path}\n${edition}` : null, () => core.branch(file, path, 0, 1));
  const part = elementOf(path)?.path === path || branch.value?.count === 0 ? path : '';
  const refs = useLater(part && isEditable(file) ? `${file}\n${part}\n${edition}` : null, () => core.refs(file, part));
  const leaf: Leaf | null = branch.value, own = findingsOf(file).filter((f) => f.path === path || (path && f.path?.startsWith(`${path}.`)));
  if (!path || !leaf || branch.error) return <div class="detail dim">Select a value to see its meaning.</div>;
  const steps = stepsOf(path), value = valueText(leaf);
  return (
    <div class="detail" data-test="detail">
      <nav class="crumbs" aria-label="Path of the value">
        {steps.map((s, i) => (i + 1 < steps.length ? <button type="button" class="crumb" key={s.path} onClick={() => select({ path: s.path })}>{i && s.name[0] !== '[' ? '.' : ''}{s.name}</button>
          : <strong key={s.path}>{i && s.name[0] !== '[' ? '.' : ''}{s.name}</strong>))}
        <IconButton icon="copy" label="Copy the path" keys="Ctrl+C" onClick={() => void copyText(path).then(() => tell('Path copied'))} />
      </nav>
      {titleOfSection(leaf.name) && <p class="doc">{titleOfSection(leaf.name)}.</p>}
      {leaf.doc && <p class="doc">{leaf.doc[0].toUpperCase() + leaf.doc.slice(1)}.</p>}
      <dl>
        {value && <><dt>Value</dt><dd class="value">{value}</dd></>}
        {!value && leaf.unit && <><dt>Unit</dt><dd>{leaf.unit}</dd></>}
        <dt>Type</dt><dd>{leaf.type}{leaf.count ? `, ${counted(leaf.count, 'member')}` : ''}</dd>
        {leaf.offset !== undefined && <><dt>Bytes</dt><dd>{leaf.size ? `${offsetText(leaf.offset)}${leaf.size > 1 ? ` to ${offsetText(leaf.offset + leaf.size - 1)}` : ''}, ${counted(leaf.size, 'byte')}` : isBeyond(leaf, error) ? 'not read: the file is damaged before this value' : 'none: the value is derived from the rest of the file'}</dd></>}
      </dl>
      <Colors file={file} leaf={leaf} edition={edition} />
      {refs.value && <References file={file} refs={refs.value} />}
      {own.slice(0, 4).map((f, i) => <p key={i} class={`inline-finding ${f.severity}`}><Icon name={f.severity === 'stop' ? 'error' : f.severity} size={13} /> {findingText(f)}</p>)}
    </div>
  );
}
