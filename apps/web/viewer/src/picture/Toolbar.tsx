// The bar above the picture: cameras, tools and handles, and the menus below it.
import { isPictureAlone } from '../state';
import { Menu, Tool } from './controls';
import type { Handles } from './handles';
import { BrushBar } from './Painting';
import type { Picture } from './picture';
import type { Saving } from './saving';
import type { Seeing } from './seeing';
import type { Tools } from './tools';

export function Toolbar({ picture: p }: { picture: Picture }) {
  const { tools, menu } = p;
  const turn = (to: 'cameras' | 'look' | 'save') => (menu.value = menu.value === to ? '' : to);
  return (
    <div class="tools" role="toolbar" aria-label="Picture">
      <div class="group">
        <ModeTools seeing={p.seeing} />
        {p.seeing.cameras.length > 0 && (
          <Tool icon="camera" label="The game's cameras" keys="C" pressed={p.seeing.mode.value === 'game'} expanded={menu.value === 'cameras'} onClick={() => turn('cameras')} test="cameras" />
        )}
      </div>
      <div class="group">
        <Tool icon="frame" label="Frame the selection; Home frames everything" keys="F" onClick={() => p.marks.frame()} test="frame" />
        <Tool icon="ruler" label="Measure between two points" keys="M" pressed={tools.measuring.on.value} onClick={() => tools.toggleMeasuring()} test="measure" />
        <Tool icon="label" label="Names" keys="N" pressed={p.labels.on.value} onClick={() => p.labels.toggle()} test="labels" />
      </div>
      <div class="group">
        <Tool icon="screen" label="Console look" keys="K" pressed={p.seeing.look.value !== 'plain'} expanded={menu.value === 'look'} onClick={() => turn('look')} test="look" />
        <Tool icon="save" label="Save the picture or the model" keys="I" expanded={menu.value === 'save'} onClick={() => turn('save')} test="save" />
      </div>
      <HandleTools handles={p.handles} />
      <EditTools tools={tools} />
      {tools.painting.on.value && <BrushBar painting={tools.painting} />}
      {menu.value === 'cameras' && <CameraMenu seeing={p.seeing} />}
      {menu.value === 'look' && <LookMenu seeing={p.seeing} />}
      {menu.value === 'save' && <SaveMenu saving={p.saving} />}
    </div>
  );
}
/** In the lower corner. */
export function CornerTools() {
  return (
    <div class="tools corner"><div class="group">
      <Tool icon="whole" label="Show only the picture" keys="Shift+F" pressed={isPictureAlone.value} onClick={() => { isPictureAlone.value = !isPictureAlone.value; }} test="picture-alone" />
    </div></div>
  );
}

function ModeTools({ seeing }: { seeing: Seeing }) {
  const mode = seeing.mode.value;
  return <>
    <Tool icon="orbit" label="Orbit" keys="O" pressed={mode === 'orbit' || mode === 'parallel'} onClick={() => seeing.set('orbit')} test="orbit" />
    <Tool icon="fly" label="Fly: W, A, S and D move, E and Q move up and down, Shift moves faster" keys="V" pressed={mode === 'fly'} onClick={() => seeing.set('fly')} test="fly" />
    <Tool icon="top" label="From above" keys="T" pressed={mode === 'top'} onClick={() => seeing.toggleTop()} test="top" />
  </>;
}
function HandleTools({ handles }: { handles: Handles }) {
  const handle = handles.handle.value;
  if (handles.node.value < 0) return null;
  return (
    <div class="group" data-test="handles">
      <Tool icon="move" label="Move the selection; Shift moves in steps, X, Y and Z along one axis" keys="G" pressed={handle === 'translate'} onClick={() => handles.set('translate')} test="handle-move" />
      <Tool icon="turn" label="Rotate the selection" keys="R" pressed={handle === 'rotate'} onClick={() => handles.set('rotate')} test="handle-turn" />
      <Tool icon="size" label="Scale the selection" keys="B" pressed={handle === 'scale'} onClick={() => handles.set('scale')} test="handle-scale" />
      <Tool icon="drop" label="Drop the selection to the ground" keys="End" onClick={() => handles.drop()} test="handle-drop" />
    </div>
  );
}
function EditTools({ tools }: { tools: Tools }) {
  const isDrawing = tools.drawing.on.value, isPainting = tools.painting.on.value;
  return <>
    {(tools.offersDrawing || isDrawing) && (
      <div class="group">
        <Tool icon="path" label="Draw a path: each click adds a point after the selected one; Escape ends the path" keys="U" pressed={isDrawing} onClick={() => tools.toggleDrawing()} test="draw" />
      </div>
    )}
    {tools.offersPainting && (
      <div class="group">
        <Tool icon="brush" label="Paint tiles and heights: drag over tiles to paint them; Shift+drag moves the camera" keys="P" pressed={isPainting} onClick={() => tools.togglePainting()} test="paint" />
      </div>
    )}
  </>;
}

function CameraMenu({ seeing }: { seeing: Seeing }) {
  return (
    <Menu label="The game's cameras">
      {seeing.cameras.map(({ node, name, plays, about }) => (
        <button type="button" role="menuitemradio" aria-checked={seeing.camera.value === node} onClick={() => seeing.seeThrough(node)} data-test="camera">
          {name}{(about || plays) && <span>{plays ? 'moving' : about}</span>}
        </button>
      ))}
    </Menu>
  );
}
const looks = {
  plain: { title: 'Clean', about: 'sharp picture, smooth edges' },
  ds: { title: 'Nintendo DS', about: '192 lines, 5 bits per colour' },
  psx: { title: 'PlayStation', about: '240 lines, warped textures' },
};
function LookMenu({ seeing }: { seeing: Seeing }) {
  return (
    <Menu label="Look">
      {seeing.looks.map((l) => (
        <button type="button" role="menuitemradio" aria-checked={seeing.look.value === l} onClick={() => seeing.setLook(l)} data-test={`look-${l}`}>
          {looks[l].title}<span>{looks[l].about}</span>
        </button>
      ))}
    </Menu>
  );
}
function SaveMenu({ saving }: { saving: Saving }) {
  return (
    <Menu label="Save the picture or the model">
      <button type="button" role="menuitem" onClick={() => void saving.png(1)} data-test="save-png">Picture (PNG)</button>
      <button type="button" role="menuitem" onClick={() => void saving.png(2)} data-test="save-png-2">Picture (PNG), double size</button>
      <button type="button" role="menuitem" onClick={() => void saving.glb()} data-test="save-glb">Model (GLB)<span>for Blender</span></button>
    </Menu>
  );
}
