// Storeys that are pulled apart, and the cut by height: all materials share two uniforms. Heights of the cut are those of the
// level, before storeys are lifted.

import * as THREE from "three";

export const shared = {
  gap: { value: 0 },
  cut: { value: 1e9 },
};

/** Makes a material of three.js lift storeys by the attribute `storey`, and drop fragments above the cut. */
export function lifted<M extends THREE.Material>(material: M): M {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.gap = shared.gap;
    shader.uniforms.cut = shared.cut;
    shader.vertexShader = shader.vertexShader
      .replace("void main() {", "attribute float storey;\nuniform float gap;\nvarying float height;\nvoid main() {")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nheight = transformed.y;\ntransformed.y += storey * gap;");
    shader.fragmentShader = shader.fragmentShader.replace(
      "void main() {",
      "uniform float cut;\nvarying float height;\nvoid main() {\nif (height > cut) discard;",
    );
  };
  return material;
}

const lineVertex = `
attribute vec3 from;
attribute vec3 to;
attribute vec2 storeys;
uniform vec2 size;
uniform float width;
uniform float bias;
uniform float gap;
varying float height;
void main() {
  vec3 a = from, b = to;
  a.y += storeys.x * gap;
  b.y += storeys.y * gap;
  vec4 va = modelViewMatrix * vec4(a, 1.0);
  vec4 vb = modelViewMatrix * vec4(b, 1.0);
  // Behind the eye, an end moves to just before it.
  float near = -0.05;
  if (va.z > near && vb.z < near) va = mix(vb, va, (near - vb.z) / (va.z - vb.z));
  else if (vb.z > near && va.z < near) vb = mix(va, vb, (near - va.z) / (vb.z - va.z));
  vec4 ca = projectionMatrix * va;
  vec4 cb = projectionMatrix * vb;
  vec2 along = (cb.xy / cb.w - ca.xy / ca.w) * size;
  along = length(along) > 0.0 ? normalize(along) : vec2(1.0, 0.0);
  vec2 aside = vec2(-along.y, along.x);
  vec4 p = position.x < 0.5 ? ca : cb;
  vec2 out2 = aside * position.y + along * (position.x * 2.0 - 1.0) * 0.5;
  p.xy += out2 * width / size * p.w;
  vec4 nearer = projectionMatrix * vec4((position.x < 0.5 ? va : vb).xyz * (1.0 - bias), 1.0);
  p.z = nearer.z / nearer.w * p.w;
  height = position.x < 0.5 ? from.y : to.y;
  gl_Position = p;
}`;

const lineFragment = `
uniform vec3 color;
uniform float opacity;
uniform float cut;
varying float height;
void main() {
  if (height > cut + 0.1) discard;
  gl_FragColor = vec4(color, opacity);
  #include <colorspace_fragment>
}`;

export interface LineLook {
  color: THREE.ColorRepresentation;
  /** In pixels of the page. */
  width: number;
  opacity?: number;
  /** The share of the distance by which a line counts as nearer than it is. */
  bias?: number;
  /** Lines that nothing hides. */
  through?: boolean;
}

/** Lines of a width in pixels: any number of strokes in one draw call. */
export class Lines extends THREE.Mesh<THREE.InstancedBufferGeometry, THREE.ShaderMaterial> {
  constructor(readonly look: LineLook, size: { value: THREE.Vector2 }) {
    super(
      new THREE.InstancedBufferGeometry(),
      new THREE.ShaderMaterial({
        vertexShader: lineVertex,
        fragmentShader: lineFragment,
        transparent: true,
        depthWrite: false,
        depthTest: !look.through,
        side: THREE.DoubleSide,
        uniforms: {
          size,
          width: { value: look.width },
          bias: { value: look.bias ?? 0.002 },
          color: { value: new THREE.Color(look.color) },
          opacity: { value: look.opacity ?? 1 },
          gap: shared.gap,
          cut: shared.cut,
        },
      }),
    );
    this.frustumCulled = false;
    this.strokes(new Float32Array(0), new Uint8Array(0));
  }

  /** Replaces the strokes: two points each, and the storey of both. */
  strokes(points: Float32Array, storeys: Uint8Array): void {
    this.geometry.dispose();
    const g = new THREE.InstancedBufferGeometry();
    g.setAttribute("position", new THREE.BufferAttribute(new Float32Array([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0]), 3));
    g.setIndex([0, 1, 2, 0, 2, 3]);
    const ends = new THREE.InstancedInterleavedBuffer(points, 6);
    g.setAttribute("from", new THREE.InterleavedBufferAttribute(ends, 3, 0));
    g.setAttribute("to", new THREE.InterleavedBufferAttribute(ends, 3, 3));
    g.setAttribute("storeys", new THREE.InstancedBufferAttribute(Float32Array.from(storeys), 2));
    g.instanceCount = points.length / 6;
    this.geometry = g;
    this.visible = this.visible && points.length > 0;
  }

  get empty(): boolean {
    return this.geometry.instanceCount === 0;
  }
}
