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

/** As lifted, for instances: each instance has a storey. */
export function liftedInstances<M extends THREE.Material>(material: M): M {
  material.onBeforeCompile = (shader) => {
    shader.uniforms.gap = shared.gap;
    shader.uniforms.cut = shared.cut;
    shader.vertexShader = shader.vertexShader
      .replace("void main() {", "attribute float storey;\nuniform float gap;\nvarying float height;\nvoid main() {")
      .replace("#include <project_vertex>", "#include <project_vertex>\nheight = (instanceMatrix * vec4(transformed, 1.0)).y;\nmvPosition += viewMatrix * vec4(0.0, storey * gap, 0.0, 0.0);\ngl_Position = projectionMatrix * mvPosition;");
    shader.fragmentShader = shader.fragmentShader.replace(
      "void main() {",
      "uniform float cut;\nvarying float height;\nvoid main() {\nif (height > cut + 0.5) discard;",
    );
  };
  return material;
}

/** Many equal shapes in one draw call, each with its place, colour and storey. */
export class Instances {
  mesh: THREE.InstancedMesh;
  private storeys: THREE.InstancedBufferAttribute;

  constructor(private readonly geometry: THREE.BufferGeometry, private readonly material: THREE.Material, private readonly place: (o: THREE.InstancedMesh, before: THREE.InstancedMesh | null) => void) {
    [this.mesh, this.storeys] = this.make(16);
    place(this.mesh, null);
  }

  private make(room: number): [THREE.InstancedMesh, THREE.InstancedBufferAttribute] {
    const geometry = this.geometry.clone();
    const storeys = new THREE.InstancedBufferAttribute(new Float32Array(room), 1);
    geometry.setAttribute("storey", storeys);
    const mesh = new THREE.InstancedMesh(geometry, this.material, room);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(3 * room), 3);
    mesh.frustumCulled = false;
    mesh.count = 0;
    mesh.visible = false;
    return [mesh, storeys];
  }

  /** Begins again with room for so many. */
  begin(count: number): void {
    if (count > this.storeys.count) {
      const before = this.mesh;
      [this.mesh, this.storeys] = this.make(Math.ceil(count * 1.5));
      this.place(this.mesh, before);
      before.geometry.dispose();
      before.dispose();
    }
    this.mesh.count = count;
    this.mesh.visible = count > 0;
  }

  /** Puts a shape upright at a place, by three factors of its size; 0 hides it. */
  put(i: number, x: number, y: number, z: number, wide: number, tall: number, color: THREE.Color, storey: number): void {
    const m = this.mesh.instanceMatrix.array;
    m.fill(0, 16 * i, 16 * i + 16);
    m[16 * i] = m[16 * i + 10] = wide;
    m[16 * i + 5] = tall;
    m[16 * i + 12] = x;
    m[16 * i + 13] = y;
    m[16 * i + 14] = z;
    m[16 * i + 15] = 1;
    color.toArray(this.mesh.instanceColor!.array, 3 * i);
    this.storeys.array[i] = storey;
  }

  set(i: number, matrix: THREE.Matrix4, color: THREE.Color, storey: number): void {
    this.mesh.setMatrixAt(i, matrix);
    this.mesh.setColorAt(i, color);
    this.storeys.setX(i, storey);
  }

  end(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.instanceColor!.needsUpdate = true;
    this.storeys.needsUpdate = true;
  }
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
