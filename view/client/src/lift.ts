// Storeys that are pulled apart, and the cut by height: all materials share two uniforms. Heights of the cut are those of the
// level, before storeys are lifted.

import * as THREE from "three";

export const shared = {
  gap: { value: 0 },
  cut: { value: 1e9 },
};

/**
 * The colour of the screen by square roots in place of a power, which takes software longer than the light: sRGB to a quarter of a step of 255.
 * Source: Taylor, sRGB approximations for HLSL, 2010.
 */
const toScreen = `
vec3 root = sqrt(gl_FragColor.rgb), root4 = sqrt(root), root8 = sqrt(root4);
gl_FragColor.rgb = max(vec3(0.0), 0.662002687 * root + 0.684122060 * root4 - 0.323583601 * root8 - 0.0225411470 * gl_FragColor.rgb);`;

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
    ).replace("#include <colorspace_fragment>", toScreen);
  };
  return material;
}

/** The texels of a copy: three rows of its matrix, and its colour with its storey. */
const texels = 4;
/** The copies in a row of the texture. */
const across = 256;

/**
 * Many equal shapes in one draw call, each with its place, colour and storey. Browsers that draw in software draw each instance by
 * itself, so one geometry repeats the shape, and a texture says where each copy is.
 */
export class Copies {
  private mesh = new THREE.Mesh();
  private room = 0;
  private data = new Float32Array();
  private readonly texture = { value: new THREE.DataTexture() };
  private readonly material: THREE.Material;
  /** How many are drawn. */
  count = 0;

  constructor(private readonly shape: THREE.BufferGeometry, material: THREE.Material, private readonly place: (o: THREE.Mesh, before: THREE.Mesh | null) => void) {
    const each = { value: shape.getAttribute("position").count };
    this.material = material.clone();
    this.material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, { gap: shared.gap, cut: shared.cut, copies: this.texture, each });
      shader.vertexShader = shader.vertexShader
        .replace("void main() {", copyVertex)
        .replace("#include <beginnormal_vertex>", "#include <beginnormal_vertex>\nobjectNormal = turned * (objectNormal / vec3(dot(turned[0], turned[0]), dot(turned[1], turned[1]), dot(turned[2], turned[2])));")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\ntransformed = vec3(dot(rows[0], vec4(transformed, 1.0)), dot(rows[1], vec4(transformed, 1.0)), dot(rows[2], vec4(transformed, 1.0)));\nheight = transformed.y;\ntransformed.y += rows[3].w * gap;");
      shader.fragmentShader = shader.fragmentShader
        .replace("void main() {", "uniform float cut;\nvarying float height;\nvarying vec3 tint;\nvoid main() {\nif (height > cut + 0.5) discard;")
        .replace("#include <color_fragment>", "diffuseColor.rgb *= tint;");
    };
    this.make(16);
  }

  private make(room: number): void {
    this.room = Math.ceil(room / across) * across;
    this.data = new Float32Array(4 * texels * this.room);
    this.texture.value.dispose();
    this.texture.value = new THREE.DataTexture(this.data, texels * across, this.room / across, THREE.RGBAFormat, THREE.FloatType);
    const geometry = new THREE.BufferGeometry();
    for (const name of ["position", "normal"]) {
      const one = this.shape.getAttribute(name).array;
      const all = new Float32Array(one.length * this.room);
      for (let i = 0; i < this.room; i++) all.set(one, i * one.length);
      geometry.setAttribute(name, new THREE.BufferAttribute(all, 3));
    }
    const one = this.shape.index!.array, each = this.shape.getAttribute("position").count;
    const corners = new Uint32Array(one.length * this.room);
    for (let i = 0; i < corners.length; i++) corners[i] = one[i % one.length] + Math.floor(i / one.length) * each;
    geometry.setIndex(new THREE.BufferAttribute(corners, 1));
    const before = this.mesh.parent ? this.mesh : null;
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.place(this.mesh, before);
    before?.geometry.dispose();
  }

  /** Begins again with room for so many. */
  begin(count: number): void {
    if (count > this.room) this.make(count * 1.5);
    this.count = count;
    this.mesh.geometry.setDrawRange(0, count * this.shape.index!.count);
    this.mesh.visible = count > 0;
  }

  /** Puts a shape upright at a place, by two factors of its size; 0 hides it. */
  put(i: number, x: number, y: number, z: number, wide: number, tall: number, color: THREE.Color, storey: number): void {
    const d = this.data, k = 4 * texels * i;
    d.fill(0, k, k + 12);
    d[k] = d[k + 10] = wide;
    d[k + 5] = tall;
    d[k + 3] = x;
    d[k + 7] = y;
    d[k + 11] = z;
    color.toArray(d, k + 12);
    d[k + 15] = storey;
  }

  set(i: number, matrix: THREE.Matrix4, color: THREE.Color, storey: number): void {
    const m = matrix.elements, k = 4 * texels * i;
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 4; column++) this.data[k + 4 * row + column] = m[4 * column + row];
    }
    color.toArray(this.data, k + 12);
    this.data[k + 15] = storey;
  }

  end(): void {
    this.texture.value.needsUpdate = true;
  }
}

const copyVertex = `
uniform highp sampler2D copies;
uniform int each;
uniform float gap;
varying float height;
varying vec3 tint;
void main() {
  vec4 rows[4];
  int copy = gl_VertexID / each;
  for (int i = 0; i < 4; i++) rows[i] = texelFetch(copies, ivec2(${texels} * (copy % ${across}) + i, copy / ${across}), 0);
  tint = rows[3].rgb;
  mat3 turned = transpose(mat3(rows[0].xyz, rows[1].xyz, rows[2].xyz));`;

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
${toScreen}
}`;

/** The corners of a stroke: along it, and to its sides; and the triangles of them. */
const quad = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], halves = [0, 1, 2, 0, 2, 3];

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

/** Lines of a width in pixels: any number of strokes in one draw call, of four corners each. Instances would be smaller, but software draws each of them by itself. */
export class Lines extends THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial> {
  /** The number of strokes. */
  length = 0;

  constructor(readonly look: LineLook, size: { value: THREE.Vector2 }) {
    super(
      new THREE.BufferGeometry(),
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
    const g = new THREE.BufferGeometry();
    const n = (this.length = points.length / 6);
    const corners = new Float32Array(12 * n), ends = new Float32Array(24 * n), of = new Float32Array(8 * n), index = new Uint32Array(6 * n);
    for (let i = 0; i < n; i++) {
      corners.set(quad, 12 * i);
      for (let k = 0; k < 4; k++) {
        for (let j = 0; j < 6; j++) ends[24 * i + 6 * k + j] = points[6 * i + j];
        of[8 * i + 2 * k] = storeys[2 * i];
        of[8 * i + 2 * k + 1] = storeys[2 * i + 1];
      }
      for (let k = 0; k < 6; k++) index[6 * i + k] = 4 * i + halves[k];
    }
    const both = new THREE.InterleavedBuffer(ends, 6);
    g.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    g.setAttribute("from", new THREE.InterleavedBufferAttribute(both, 3, 0));
    g.setAttribute("to", new THREE.InterleavedBufferAttribute(both, 3, 3));
    g.setAttribute("storeys", new THREE.BufferAttribute(of, 2));
    g.setIndex(new THREE.BufferAttribute(index, 1));
    this.geometry = g;
    this.visible = this.visible && points.length > 0;
  }

  get empty(): boolean {
    return this.length === 0;
  }
}
