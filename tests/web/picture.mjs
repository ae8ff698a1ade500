// picture.mjs: draws a GLB as a PNG with three.js in headless Chromium: `node picture.mjs FILE.glb OUT.png [VIEW [SECONDS [ANIMATION]]]`.
// VIEW: oblique (default), top, or the name of a camera in the file. SECONDS: the time in its animations, or in the named one. Fails when
// the page reports an error or stays black.
import { writeFile } from 'node:fs/promises';

import { importMap, resultOf, withPage } from './page.mjs';

const [file, out, view = 'oblique', seconds, animation] = process.argv.slice(2);
if (!out) {
  console.error('usage: node picture.mjs FILE.glb OUT.png [oblique|top|CAMERA [SECONDS [ANIMATION]]]');
  process.exit(2);
}
const page_html = `<!doctype html><body style="margin:0">${importMap}
<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
/** three.js does not support KHR_animation_pointer: applies stepped texture offsets at a time. */
async function shiftTextures(gltf, animation, seconds) {
  const values = i => gltf.parser.getDependency('accessor', i);
  for (const channel of animation.channels) {
    const pointer = channel.target.extensions?.KHR_animation_pointer?.pointer ?? '';
    const material = pointer.match(/^\\/materials\\/(\\d+)\\/pbrMetallicRoughness\\/baseColorTexture\\/extensions\\/KHR_texture_transform\\/offset$/)?.[1];
    if (!material) continue;
    const sampler = animation.samplers[channel.sampler];
    const times = await values(sampler.input), offsets = await values(sampler.output);
    let key = 0;
    while (key + 1 < times.count && times.getX(key + 1) <= seconds % times.getX(times.count - 1)) ++key;
    gltf.scene.traverse(n => {
      if (!n.isMesh || gltf.parser.associations.get(n.material)?.materials !== Number(material)) return;
      n.material.map.offset.set(offsets.getX(key), offsets.getY(key));
      n.material.map.updateMatrix();
    });
  }
}
try {
  const renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  renderer.setSize(innerWidth, innerHeight);
  document.body.append(renderer.domElement);
  const gltf = await new GLTFLoader().loadAsync('/model.glb');
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(0x20242c);
  scene.add(gltf.scene);
  scene.add(new THREE.AmbientLight(0xffffff, 3));
  const seconds = ${JSON.stringify(seconds ?? null)};
  if (seconds !== null) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    const wanted = ${JSON.stringify(animation ?? null)};
    if (wanted !== null && !gltf.parser.json.animations?.some(a => a.name === wanted)) throw new Error('no animation named ' + wanted);
    for (const [i, clip] of gltf.animations.entries()) {
      const played = gltf.parser.json.animations[i];
      if (wanted !== null && played.name !== wanted) continue;
      mixer.clipAction(clip).play();
      await shiftTextures(gltf, played, Number(seconds));
    }
    mixer.setTime(Number(seconds));
  }
  scene.updateMatrixWorld(true);
  const hidden = ['area', 'camera body'];  // volumes and cameras would hide the course
  gltf.scene.traverse(n => { if (hidden.includes(n.userData.diorama?.kind)) n.visible = false; });
  const box = new THREE.Box3();
  const track = ['check point', 'enemy path'];  // what the view is framed by: single objects may lie far outside
  gltf.scene.traverse(n => { if (track.includes(n.userData.diorama?.kind)) box.expandByObject(n); });
  if (box.isEmpty()) gltf.scene.traverse(n => { if (n.isMesh && n.visible && n.parent.visible) box.expandByObject(n); });
  const centre = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3());
  let camera;
  const view = ${JSON.stringify(view)};
  if (view === 'top' || view === 'oblique') {
    camera = new THREE.PerspectiveCamera(35, innerWidth / innerHeight, 1, 1e5);
    const reach = Math.max(size.x / camera.aspect, size.z) * (view === 'top' ? 1.75 : 1.5);
    camera.position.copy(centre).add(view === 'top' ? new THREE.Vector3(0, reach, 0.01) : new THREE.Vector3(0, reach * 0.75, reach * 0.75));
    camera.lookAt(centre);
  } else {
    const cameras = [...gltf.cameras];
    gltf.scene.traverse(n => { if (n.isCamera) cameras.unshift(n); });  // nodes have names of their own for the same camera
    camera = cameras.find(c => c.name === view || c.name === view.replaceAll(' ', '_'));
    if (!camera) throw new Error('no camera named ' + view + ': ' + cameras.map(c => c.name));
    camera.aspect = innerWidth / innerHeight;
    camera.updateProjectionMatrix();
  }
  renderer.render(scene, camera);
  window.__ready = { meshes: renderer.info.render.calls, triangles: renderer.info.render.triangles };
} catch (e) { window.__failed = String(e); }
</script>`;

await withPage(page_html, { '/model.glb': file }, async page => {
  const drawn = await resultOf(page);
  if (!drawn.triangles) throw new Error('nothing was drawn');
  await writeFile(out, await page.screenshot());
  console.log(`${out}: ${drawn.triangles} triangles in ${drawn.meshes} calls`);
});
