// The picture of all that rests, kept with its depths, where software draws: while nothing but walkers, the path or the pointer moves, a frame
// is this picture and what moves before, behind and between it.

import * as THREE from "three";

export class Still {
  private readonly target: THREE.WebGLRenderTarget;
  private readonly sheet: THREE.Mesh<THREE.BufferGeometry, THREE.ShaderMaterial>;
  /** Whether the picture is that of the scene. */
  fresh = false;
  private figures = { calls: 0, triangles: 0 };

  constructor(private readonly world: THREE.Scene) {
    const depthTexture = new THREE.DepthTexture(1, 1, THREE.UnsignedIntType);
    this.target = new THREE.WebGLRenderTarget(1, 1, { depthTexture, colorSpace: THREE.SRGBColorSpace, internalFormat: "RGBA8" });
    // Layers are blended in the colours of the canvas, which three.js leaves to targets of this kind.
    Object.assign(this.target, { isXRRenderTarget: true });
    this.sheet = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.ShaderMaterial({
      vertexShader: "void main() {\n  gl_Position = vec4(position.xy, 0.0, 1.0);\n}",
      fragmentShader: `
uniform sampler2D colours;
uniform sampler2D depths;
void main() {
  ivec2 at = ivec2(gl_FragCoord.xy);
  gl_FragColor = texelFetch(colours, at, 0);
  gl_FragDepth = texelFetch(depths, at, 0).r;
}`,
      uniforms: { colours: { value: this.target.texture }, depths: { value: depthTexture } },
      depthFunc: THREE.AlwaysDepth,
    }));
    // One triangle over the whole page.
    this.sheet.geometry.setAttribute("position", new THREE.BufferAttribute(Float32Array.from([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.sheet.frustumCulled = false;
    this.sheet.renderOrder = -1;
    this.sheet.visible = false;
    world.add(this.sheet);
  }

  /** Draws the world, of which all but the movers may be the picture of before. Returns the draw calls and triangles of that picture. */
  render(renderer: THREE.WebGLRenderer, camera: THREE.Camera, resting: readonly THREE.Object3D[], movers: THREE.Object3D): { calls: number; triangles: number } {
    if (!this.fresh) {
      const size = renderer.getDrawingBufferSize(new THREE.Vector2());
      this.target.setSize(size.x, size.y);
      movers.visible = false;
      renderer.setRenderTarget(this.target);
      renderer.render(this.world, camera);
      renderer.setRenderTarget(null);
      movers.visible = true;
      this.fresh = true;
      this.figures = { calls: renderer.info.render.calls, triangles: renderer.info.render.triangles };
      renderer.info.reset();
    }
    for (const o of resting) o.visible = false;
    this.sheet.visible = true;
    renderer.render(this.world, camera);
    this.sheet.visible = false;
    for (const o of resting) o.visible = true;
    return this.figures;
  }
}
