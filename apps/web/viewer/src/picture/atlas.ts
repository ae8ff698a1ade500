// All pictures of a scene in one array of square textures, so that a draw call can show all of them. Texels are fetched by
// their numbers: wrapping happens in the shader, and nothing bleeds from a neighbour.
import { DataArrayTexture, NearestFilter, RGBAFormat, SRGBColorSpace } from 'three';
import type { SceneImage } from '../types';

/** Where a picture lies: texels of a layer. */
export interface Placed {
  x: number;
  y: number;
  width: number;
  height: number;
  layer: number;
}
export interface Atlas {
  places: Placed[];
  texture: DataArrayTexture;
  bytes: number;
}

/** Rows of pictures of equal height, the tallest first. Most are powers of two, so that little is lost. */
export function placesFor(images: { width: number; height: number }[], most: number): { places: Placed[]; size: number; layers: number } {
  const area = images.reduce((sum, { width, height }) => sum + width * height, 0);
  const longest = images.reduce((max, { width, height }) => Math.max(max, width, height), 16);
  let size = 16;
  while (size < longest || (size < 2048 && size * size < area)) size *= 2;
  if (size > most) throw new Error(`a texture is ${longest} texels wide or high, but this browser supports only ${most}`);
  const order = images.map((_, i) => i).sort((a, b) => images[b].height - images[a].height || images[b].width - images[a].width || a - b);
  const places: Placed[] = new Array(images.length);
  let x = 0, y = 0, row = 0, layer = 0;
  for (const i of order) {
    const { width, height } = images[i];
    if (x + width > size) x = 0, y += row, row = 0;
    if (y + height > size) x = y = row = 0, ++layer;
    places[i] = { x, y, width, height, layer };
    x += width;
    row = Math.max(row, height);
  }
  return { places, size, layers: layer + 1 };
}

export function makeAtlas(images: SceneImage[], most: number): Atlas {
  const { places, size, layers } = placesFor(images, most);
  const data = new Uint8Array(size * size * 4 * layers);
  images.forEach(({ pixels, width, height }, i) => {
    const to = places[i];
    for (let row = 0; row < height; ++row)
      data.set(pixels.subarray(row * width * 4, (row + 1) * width * 4), ((to.layer * size + to.y + row) * size + to.x) * 4);
  });
  const texture = new DataArrayTexture(data, size, size, layers);
  texture.format = RGBAFormat;
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = NearestFilter;
  texture.generateMipmaps = false;
  texture.needsUpdate = true;
  return { places, texture, bytes: data.length };
}
