// The shaders: one program draws all materials of a scene. What a material is comes with the vertices; of animated ones, and of
// those that variants change, it comes from a table, a row for each. Colours are multiplied in linear light and blended as display
// values, as three.js does it; the looks of consoles follow src/bridge/raster.
import {
  type Blending, type Side, CustomBlending, DoubleSide, FrontSide, GLSL3, NoBlending, OneFactor, OneMinusSrcAlphaFactor, RawShaderMaterial, SrcAlphaFactor,
  type IUniform,
} from 'three';

export type Look = 'plain' | 'ds' | 'psx';
export type Alpha = 'opaque' | 'mask' | 'blend';

/** Texels in a row of the table of materials, and in that of nodes; how many rows are beside each other. */
export const materialTexels = 5, nodeTexels = 3, rowsAcross = 64;
/** How many lamps light a scene; how many layers can be faint. */
export const mostLamps = 16, mostLayers = 32;

// Bits of what a vertex says of its material.
export const wrapBits = { repeat: 0, clamp: 1, mirror: 2 } as const;
export const linearBit = 16, texturedBit = 32, litBit = 64, undithered = 128, foggyBit = 256;

export interface Program {
  alpha: Alpha;
  doubleSided: boolean;
  /** Lit by lamps. */
  lit: boolean;
  /** Node and material come from tables. */
  moving: boolean;
  shape: 'triangles' | 'lines' | 'points';
}

const vertexShader = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2D;
uniform mat4 modelViewMatrix, projectionMatrix;
uniform vec2 uScreen;  // pixels of the picture
uniform float uPointSize;
in vec3 position;
in vec2 uv;
in vec4 color;
#ifdef LIT
in vec3 normal;
out vec3 vNormal, vPlace;
uniform mat3 normalMatrix;
#endif
uniform vec4 uFade[8];  // of each layer: 0 shown, 1 faint
flat out float vFade;
#ifdef MOVING
in uvec4 link;  // rows of the tables: of the node, of the material; the layer
uniform sampler2D uNodes, uMaterials;
#else
in uvec4 rect;
in uvec2 traits;
#endif
out vec4 vColor;
#ifdef PSX
out vec3 vUv;
#else
out vec2 vUv;
#endif
flat out vec4 vRect;    // of the picture in its layer: x, y, width, height
flat out ivec3 vTraits;  // layer, bits, cutoff
void main() {
  vec3 at = position;
  vec2 texel = uv;
  vColor = color;
#ifdef LIT
  vec3 facing = normal;
#endif
#ifdef MOVING
  ivec2 n = ivec2((int(link.x) & 63) * 3, int(link.x) >> 6), m = ivec2((int(link.y) & 63) * 5, int(link.y) >> 6);
  vec4 a = texelFetch(uNodes, n, 0), b = texelFetch(uNodes, n + ivec2(1, 0), 0), c = texelFetch(uNodes, n + ivec2(2, 0), 0);
  at = vec3(dot(a, vec4(at, 1.0)), dot(b, vec4(at, 1.0)), dot(c, vec4(at, 1.0)));
#ifdef LIT
  facing = vec3(dot(a.xyz, facing), dot(b.xyz, facing), dot(c.xyz, facing));
#endif
  int layer = int(link.z);
  vColor *= texelFetch(uMaterials, m, 0);
  vRect = texelFetch(uMaterials, m + ivec2(1, 0), 0);
  vTraits = ivec3(texelFetch(uMaterials, m + ivec2(2, 0), 0).xyz);
  vec3 across = texelFetch(uMaterials, m + ivec2(3, 0), 0).xyz, down = texelFetch(uMaterials, m + ivec2(4, 0), 0).xyz;
  texel = vec2(dot(across, vec3(texel, 1.0)), dot(down, vec3(texel, 1.0)));
#else
  vRect = vec4(rect);
  vTraits = ivec3(int(traits.x) & 255, int(traits.y) & 511, int(traits.x) >> 8);
  int layer = int(traits.y) >> 9;
#endif
  vFade = uFade[layer >> 2][layer & 3];
  vec4 eye = modelViewMatrix * vec4(at, 1.0);
  gl_Position = projectionMatrix * eye;
#ifdef LIT
  vNormal = normalMatrix * facing;
  vPlace = eye.xyz;
#endif
#if defined(PSX) || defined(DS)
  // Vertices lie on whole pixels.
  vec2 pixel = (gl_Position.xy / gl_Position.w * 0.5 + 0.5) * uScreen;
  if (gl_Position.w > 0.0) gl_Position.xy = (floor(pixel + 0.001) / uScreen * 2.0 - 1.0) * gl_Position.w;
#endif
#ifdef PSX
  vUv = vec3(texel, 1.0) * max(gl_Position.w, 0.0001);
#else
  vUv = texel;
#endif
#ifdef POINTS
  gl_PointSize = uPointSize;
#endif
}
`;

const fragmentShader = /* glsl */ `
precision highp float;
precision highp int;
precision highp sampler2DArray;
uniform sampler2DArray uAtlas;
uniform bool uIsCoarse;  // moves, on a slow machine: one texel is enough for a pixel
uniform vec3 uBehind;  // what faint things fade to, as display values
#ifdef DS
uniform vec3 uFog, uFogColor;  // where it begins, how far apart the densities are, whether there is any
uniform float uFogDensities[32];
#endif
flat in float vFade;
in vec4 vColor;
#ifdef PSX
in vec3 vUv;
#else
in vec2 vUv;
#endif
flat in vec4 vRect;
flat in ivec3 vTraits;
out vec4 drawn;
#ifdef LIT
in vec3 vNormal, vPlace;
uniform int uLamps;
uniform float uMetres;
uniform bool uParallel;
uniform vec4 uLampColor[${mostLamps}];  // and the range in metres
uniform vec4 uLampPlace[${mostLamps}];  // of the eye; w: 0 for directional lights
uniform vec4 uLampWay[${mostLamps}];    // towards the light; w: cosine of the inner cone
uniform float uLampCone[${mostLamps}];  // cosine of the outer cone; below -1: no spot

vec3 lit(vec3 base) {
  vec3 normal = normalize(vNormal), eye = uParallel ? vec3(0.0, 0.0, 1.0) : normalize(-vPlace);
  if (!gl_FrontFacing) normal = -normal;
  if (uLamps == 0) return base * (0.35 + 0.65 * max(0.0, dot(normal, eye)));
  vec3 diffuse = vec3(0.0), shine = vec3(0.0);
  for (int i = 0; i < uLamps; ++i) {
    vec3 to = uLampWay[i].xyz;
    float strength = 1.0;
    if (uLampPlace[i].w > 0.0) {
      vec3 way = uLampPlace[i].xyz - vPlace;
      float metres = length(way) * uMetres;
      to = normalize(way);
      strength = 1.0 / max(metres * metres, 0.01);
      if (uLampColor[i].w > 0.0) {
        float part = metres / uLampColor[i].w, window = clamp(1.0 - part * part * part * part, 0.0, 1.0);
        strength *= window * window;
      }
      if (uLampCone[i] >= -1.0) strength *= smoothstep(uLampCone[i], max(uLampWay[i].w, uLampCone[i] + 1e-6), dot(to, uLampWay[i].xyz));
    }
    float facing = dot(normal, to);
    if (facing <= 0.0) continue;
    float away = 1.0 - clamp(dot(eye, normalize(to + eye)), 0.0, 1.0);
    float fresnel = 0.04 + 0.96 * pow(away, 5.0);
    vec3 light = uLampColor[i].rgb * strength * facing;
    diffuse += light / 3.14159265;
    shine += light * fresnel * 0.5 / max(facing + max(0.0, dot(normal, eye)), 1e-6) / 3.14159265;
  }
  return base * diffuse + shine;
}
#endif

vec3 display(vec3 c) {
  c = clamp(c, 0.0, 1.0);
  return mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}
/** What part of the picture a coordinate is at. */
vec2 wrapped(vec2 t, int bits) {
  vec2 f = fract(t);
  if ((bits & 15) == 0) return f;  // as most are; where there is no graphics card, the rest takes long
  vec2 held = clamp(t, 0.0, 0.99999994), ping = 1.0 - abs(1.0 - mod(t, 2.0));
  return vec2((bits & 3) == 0 ? f.x : (bits & 3) == 1 ? held.x : ping.x, (bits & 12) == 0 ? f.y : (bits & 12) == 4 ? held.y : ping.y);
}
vec4 texel(vec2 t) {
  vec2 whole = min(floor(wrapped(t, vTraits.y) * vRect.zw), vRect.zw - 1.0);
  return texelFetch(uAtlas, ivec3(ivec2(vRect.xy + whole), vTraits.x), 0);
}
vec4 picture(vec2 t) {
  if (uIsCoarse || (vTraits.y & ${linearBit}) == 0) return texel(t);
  vec2 at = t * vRect.zw - 0.5, part = fract(at), one = 1.0 / vRect.zw, low = (floor(at) + 0.5) * one;
  return mix(mix(texel(low), texel(low + vec2(one.x, 0.0)), part.x), mix(texel(low + vec2(0.0, one.y)), texel(low + one), part.x), part.y);
}

void main() {
#ifdef PSX
  vec2 t = vUv.xy / vUv.z;
#else
  vec2 t = vUv;
#endif
  vec4 seen = (vTraits.y & ${texturedBit}) != 0 ? picture(t) : vec4(1.0);
#ifdef PLAIN
  vec4 all = seen * vColor;
#ifdef MASK
  if (all.a * 255.0 < float(vTraits.z)) discard;
#endif
#ifdef LIT
  if ((vTraits.y & ${litBit}) != 0) all.rgb = lit(all.rgb);
#endif
  vec3 shown = display(all.rgb);
#else
  vec4 tint = vColor;
#ifdef LIT
  if ((vTraits.y & ${litBit}) != 0) tint.rgb = lit(tint.rgb);
#endif
  vec4 all = vec4(0.0, 0.0, 0.0, seen.a * tint.a);
#ifdef MASK
  if (all.a * 255.0 < float(vTraits.z)) discard;
#endif
#ifdef DS
  // Five bits of colour, six when they are mixed.
  vec3 t5 = floor(display(seen.rgb) * 31.0 + 0.5), v5 = floor(display(tint.rgb) * 31.0 + 0.5);
  vec3 t6 = min(t5 * 2.0 + step(0.5, t5), 63.0), v6 = min(v5 * 2.0 + step(0.5, v5), 63.0);
  vec3 six = (vTraits.y & ${texturedBit}) != 0 ? floor(((t6 + 1.0) * (v6 + 1.0) - 1.0) / 64.0) : v6;
  if (uFog.z > 0.0 && (vTraits.y & ${foggyBit}) != 0) {
    // As draw_ds.cpp of src/bridge/raster has it: by the depth, which has 15 bits in the table.
    float beyond = gl_FragCoord.z * 32767.0 - uFog.x, at = beyond < 0.0 ? 0.0 : uFog.y > 0.0 ? min(floor(beyond / uFog.y), 32.0) : 32.0;
    float past = beyond < 0.0 || at == 32.0 ? 0.0 : beyond / uFog.y - at;
    float much = floor(mix(uFogDensities[clamp(int(at) - 1, 0, 31)], uFogDensities[clamp(int(at), 0, 31)], past));
    if (much >= 127.0) much = 128.0;
    six = floor((uFogColor * much + six * (128.0 - much)) / 128.0);
  }
  vec3 shown = (six * 4.0 + floor(six / 16.0)) / 255.0;
#else
  // Texels of five bits times colours of eight, then a pattern of 4 x 4 before eight bits become five.
  vec3 byte = floor(floor(display(seen.rgb) * 31.0 + 0.5) / 31.0 * display(tint.rgb) * 255.0 + 0.5);
  const float pattern[16] = float[](-4.0, 0.0, -3.0, 1.0, 2.0, -2.0, 3.0, -1.0, -3.0, 1.0, -4.0, 0.0, 3.0, -1.0, 2.0, -2.0);
  ivec2 pixel = ivec2(gl_FragCoord.xy) & 3;
  if ((vTraits.y & ${undithered}) == 0) byte += pattern[(3 - pixel.y) * 4 + pixel.x];
  vec3 shown = floor(clamp(byte, 0.0, 255.0) / 8.0) / 31.0;
#endif
#endif
#ifdef BLEND
  drawn = vec4(mix(shown, uBehind, vFade * 0.5), all.a * (1.0 - 0.75 * vFade));
#else
  drawn = vec4(mix(shown, uBehind, vFade * 0.82), 1.0);
#endif
}
`;

/** The materials of a view. They outlive its scenes, as shaders take longer to make than most maps take to draw; what a scene
 * tells them is in `uniforms`, which all of them share. */
export class Programs {
  readonly uniforms: Record<string, IUniform> = {};
  #made = new Map<string, RawShaderMaterial>();

  /** What the scene tells that is drawn from now on. */
  tell(values: Record<string, unknown>) {
    for (const [name, value] of Object.entries(values)) (this.uniforms[name] ??= { value: null }).value = value;
  }
  of(program: Program, look: Look): RawShaderMaterial {
    const key = `${look} ${JSON.stringify(program)}`;
    let found = this.#made.get(key);
    if (!found) this.#made.set(key, (found = materialFor(program, look, this.uniforms)));
    return found;
  }
  dispose() {
    for (const m of this.#made.values()) m.dispose();
    this.#made.clear();
  }
}

/** A material for three.js. */
function materialFor(program: Program, look: Look, uniforms: Record<string, IUniform>): RawShaderMaterial {
  const { alpha, doubleSided, lit, moving, shape } = program;
  const defines: Record<string, number> = { [look === 'ds' ? 'DS' : look === 'psx' ? 'PSX' : 'PLAIN']: 1 };
  if (alpha === 'mask') defines.MASK = 1;
  if (alpha === 'blend') defines.BLEND = 1;
  if (lit) defines.LIT = 1;
  if (moving) defines.MOVING = 1;
  if (shape === 'points') defines.POINTS = 1;
  const blend = alpha === 'blend';
  const side: Side = doubleSided || shape !== 'triangles' ? DoubleSide : FrontSide;
  const material = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader, fragmentShader, defines, side, uniforms,
    depthWrite: !blend, transparent: blend, blending: (blend ? CustomBlending : NoBlending) as Blending,
    blendSrc: SrcAlphaFactor, blendDst: OneMinusSrcAlphaFactor, blendSrcAlpha: OneFactor, blendDstAlpha: OneMinusSrcAlphaFactor,
  });
  material.forceSinglePass = true;
  return material;
}
