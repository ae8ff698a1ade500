// What a game has at a place of its maps: the tile, the ground that it finds there, and the weather.
import type { Vector3 } from 'three';
import { kindOf } from '../formats';
import { core, type Shown } from '../state';
import type { SceneData } from '../types';
import { gridAt, tileAt } from './brush';
import { tiledAround, tiledIn } from './kinds';
import type { Hit } from './picking';
import type { Scene3 } from './scene3';

/** The weather of the maps of a world, and how many have it. */
export function weathersOf({ nodes }: SceneData): Map<string, number> {
  const out = new Map<string, number>();
  for (const { extras } of nodes) if (extras?.weather) out.set(extras.weather, (out.get(extras.weather) ?? 0) + 1);
  return out;
}

/** Asks the file of a node. */
function ask(now: Shown, node: number, question: string, argument: string): Promise<any> {
  const own = now.data.nodes[node].extras?.file, file = now.part && own ? `${now.file}/${own}` : now.file;
  return core.ask(file, question, argument).catch(() => null);
}
async function askTiles(now: Shown, { world }: Scene3, node: number, at: Vector3): Promise<(string | undefined)[]> {
  const own = now.data.nodes[node], kind = kindOf(own)!, grid = kind.tile_grid ?? now.data.extras?.tile_grid, [x, y, z] = kind.tile_grid ? world.subarray(16 * node + 12, 16 * node + 15) : [0, 0, 0];
  const tile = grid && tileAt(gridAt(grid, '', [x, y, z]), at);
  const [height, under] = await Promise.all([
    kind.height ? ask(now, node, 'height', `${(at.x - x).toFixed(2)}u,${(at.z - z).toFixed(2)}u,${at.y.toFixed(2)}`) : null,
    tile ? ask(now, node, 'tile', tile.join(',')) : null,
  ]);
  return [under && `tile ${under.x}, ${under.z}: ${under.about}`, weathersOf(now.data).size > 1 ? own.extras.weather : '', height?.about];
}

/** A line about the place that was hit; '' where the game has nothing. */
export async function askGround(now: Shown, scene: Scene3, hit: Hit): Promise<string> {
  const { nodes } = now.data, around = tiledAround(nodes, hit.piece.node), node = around >= 0 ? around : tiledIn(nodes, scene.state);
  return node < 0 ? '' : (await askTiles(now, scene, node, hit.place)).filter(Boolean).join(' · ');
}
