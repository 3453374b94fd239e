// Walkers as upright capsules, narrower at the head, each of them one quad that faces the eye: two triangles in place of dozens, and a
// roundness by the fragments. Where they are between two steps is found where they are drawn.

import * as THREE from "three";
import { shared } from "./lift";

/** The walkers in a row of the texture. */
const across = 256;

const vertexShader = `
uniform highp sampler2D before;
uniform highp sampler2D now;
uniform float share;
uniform float radius;
uniform float tall;
uniform float gap;
uniform float cut;
uniform vec3 tints[3];
uniform vec3 sun;
varying vec2 place;
varying float straight;
varying vec3 tint;
varying vec3 lit;
varying vec3 high;
void main() {
  int walker = gl_VertexID / 4;
  ivec2 texel = ivec2(walker % ${across}, walker / ${across});
  vec4 a = texelFetch(before, texel, 0), b = texelFetch(now, texel, 0);
  vec3 foot = b.xyz;
  if (a.w >= 0.0 && abs(a.x - b.x) + abs(a.z - b.z) < 2.0) foot = mix(a.xyz, b.xyz, share);
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if (b.w < 0.0 || foot.y > cut + 0.5) return;
  int look = int(mod(b.w, 4.0));
  tint = look == 0 ? tints[0] : look == 1 ? tints[1] : tints[2];
  foot.y += floor(b.w / 4.0) * gap;
  vec3 low = (viewMatrix * vec4(foot + vec3(0.0, radius, 0.0), 1.0)).xyz;
  vec3 top = (viewMatrix * vec4(foot + vec3(0.0, max(radius, tall - radius), 0.0), 1.0)).xyz;
  // The axis as it is seen, and the directions beside it and to the eye.
  vec3 eye = normalize(-low);
  vec3 along = top - low - eye * dot(top - low, eye);
  straight = length(along) / 2.0;
  along = straight > 0.001 * radius ? along / (2.0 * straight) : normalize(cross(eye, vec3(1.0, 0.0, 0.0)));
  vec3 aside = cross(along, eye);
  vec2 corner = position.xy;
  place = vec2(corner.x * radius, corner.y * (straight + radius));
  vec3 light = mat3(viewMatrix) * sun, up = mat3(viewMatrix) * vec3(0.0, 1.0, 0.0);
  lit = vec3(dot(aside, light), dot(along, light), dot(eye, light));
  high = vec3(dot(aside, up), dot(along, up), dot(eye, up));
  gl_Position = projectionMatrix * vec4((corner.y < 0.0 ? low : top) + (along * corner.y + aside * corner.x) * radius, 1.0);
}`;

const fragmentShader = `
uniform float radius;
varying vec2 place;
varying float straight;
varying vec3 tint;
varying vec3 lit;
varying vec3 high;
void main() {
  // Narrower to the head, as far as it is seen from the side.
  float up = clamp(0.5 + place.y / (2.0 * straight + 0.01), 0.0, 1.0);
  float wide = radius * (1.0 - 0.35 * up * min(1.0, straight / radius));
  vec2 off = vec2(place.x / wide, (place.y - clamp(place.y, -straight, straight)) / radius);
  float square = dot(off, off);
  if (square > 1.0) discard;
  vec3 normal = vec3(off, sqrt(1.0 - square));
  float light = 0.72 + 0.1 * dot(normal, high) + 0.3 * max(0.0, dot(normal, lit));
  gl_FragColor = vec4(tint * light * (1.0 - 0.3 * square * square), 1.0);
}`;

export class Walkers extends THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> {
  /** How many are drawn. */
  count = 0;
  private room = 0;
  private readonly both: THREE.DataTexture[] = [];

  /** The tints are in sRGB, where they are also lit: powers for each fragment would take more time than all else. */
  constructor(tints: readonly THREE.Vector3[]) {
    super(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      vertexShader, fragmentShader, side: THREE.DoubleSide,
      uniforms: {
        before: { value: null }, now: { value: null }, share: { value: 1 }, radius: { value: 0.4 }, tall: { value: 1.8 },
        gap: shared.gap, cut: shared.cut, tints: { value: tints }, sun: { value: new THREE.Vector3(-0.4, 0.84, 0.36) },
      },
    }));
    this.frustumCulled = false;
    this.visible = false;
  }

  /**
   * Takes the places of all walkers, four numbers each: x, y, z, and of whom is drawn the tint and four times the storey, else -1. They come
   * from their places of before if there were as many.
   */
  step(places: Float32Array, radius: number, tall: number): void {
    const n = places.length / 4;
    const same = n === this.count;
    this.count = n;
    this.visible = n > 0;
    if (n === 0) return;
    if (n > this.room) this.grow(n);
    const [before, now] = this.both;
    if (same) this.both.reverse();
    const into = same ? before : now;
    (into.image.data as Float32Array).set(places);
    into.needsUpdate = true;
    const u = this.material.uniforms;
    u.now.value = into;
    u.before.value = same ? now : into;
    u.radius.value = radius;
    u.tall.value = tall;
    u.share.value = 0;
    this.geometry.setDrawRange(0, 6 * n);
  }

  /** Moves all walkers to a share of the way from their places of before. */
  between(share: number): void {
    this.material.uniforms.share.value = share;
  }

  private grow(n: number): void {
    const rows = Math.ceil(n / across);
    this.room = rows * across;
    for (const t of this.both) t.dispose();
    this.both.length = 0;
    for (let i = 0; i < 2; i++) this.both.push(new THREE.DataTexture(new Float32Array(4 * this.room), across, rows, THREE.RGBAFormat, THREE.FloatType));
    const corners = new Float32Array(12 * this.room), index = new Uint32Array(6 * this.room);
    for (let i = 0; i < this.room; i++) {
      corners.set([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0], 12 * i);
      index.set([0, 1, 2, 0, 2, 3].map((k) => 4 * i + k), 6 * i);
    }
    this.geometry.dispose();
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex(new THREE.BufferAttribute(index, 1));
  }
}
