package main

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/meadow-nav/meadow"
)

// page loads a mesh by three.js, draws the floor, and writes what the loader found into the page.
const page = `<!doctype html><meta charset="utf-8"><pre id="out">waiting</pre>
<script type="importmap">{"imports":{"three":"/three/build/three.module.js","three/addons/":"/three/examples/jsm/"}}</script>
<script type="module">
const out = document.getElementById('out');
try {
  const { Box3, PerspectiveCamera, Scene, Vector3, WebGLRenderer } = await import('three');
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { readNavigationMesh } = await import('/loader/navmesh.js');
  const gltf = await new GLTFLoader().loadAsync('/mesh/FILE');
  const mesh = await readNavigationMesh(gltf);
  const scene = new Scene();
  scene.add(gltf.scene);
  const renderer = new WebGLRenderer();
  renderer.setSize(64, 64);
  const camera = new PerspectiveCamera();
  camera.position.set(0, 90, 0);
  camera.lookAt(new Vector3());
  renderer.render(scene, camera);
  let area = 0, portals = 0, mutual = 0;
  mesh.regions.forEach((r, n) => {
    r.corners.forEach((a, i) => { const b = r.corners[(i + 1) % r.corners.length]; area += (a.z * b.x - a.x * b.z) / 2; });
    portals += r.portals.length;
    const middle = r.corners.reduce((sum, c) => sum.add(c), new Vector3()).divideScalar(r.corners.length);
    const isOut = (p) => (p.left.x - p.right.x) * (p.right.z - middle.z) - (p.right.z - p.left.z) * (middle.x - p.right.x) > 0;
    for (const p of r.portals) if (isOut(p) && mesh.regions[p.to].portals.some((q) => q.to === n && q.right.distanceTo(p.left) < 1)) mutual++;
  });
  const box = new Box3().setFromObject(gltf.scene);
  out.textContent = 'regions=' + mesh.regions.length + ' portals=' + portals + ' mutual=' + mutual + ' area=' + area.toFixed(2) +
    ' triangles=' + renderer.info.render.triangles + ' width=' + (box.max.x - box.min.x).toFixed(2) + ' radius=' + mesh.agent.radius;
} catch (e) { out.textContent = 'error=' + e; }
</script>`

// TestThree loads a mesh with three.js in headless Chromium by examples/three/navmesh.js. The folder of the npm package three is in
// MEADOW_THREE.
func TestThree(t *testing.T) {
	three := os.Getenv("MEADOW_THREE")
	chromium, err := exec.LookPath("chromium")
	if err != nil || three == "" {
		t.Skip("NOT TESTED: three.js needs chromium in the path (apt-get install chromium) and MEADOW_THREE=folder of the npm package three")
	}
	dir := t.TempDir()
	for _, name := range []string{"m.glb", "m.gltf"} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{{"gen", "rooms", "-o", filepath.Join(dir, "l.obj")}, {"build", filepath.Join(dir, "l.obj"), "-o", filepath.Join(dir, name)}} {
				var out, errs bytes.Buffer
				if code := run(t.Context(), args, &out, &errs); code != exitDone {
					t.Fatalf("%v: %s", args, &errs)
				}
			}
			mesh, err := meadow.Load(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			mux := http.NewServeMux()
			mux.Handle("/three/", http.StripPrefix("/three/", http.FileServer(http.Dir(three))))
			mux.Handle("/loader/", http.StripPrefix("/loader/", http.FileServer(http.Dir(filepath.Join("..", "..", "examples", "three")))))
			mux.Handle("/mesh/", http.StripPrefix("/mesh/", http.FileServer(http.Dir(dir))))
			mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprint(w, regexp.MustCompile("FILE").ReplaceAllString(page, name))
			})
			server := httptest.NewServer(mux)
			defer server.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			out, err := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--user-data-dir="+filepath.Join(dir, "profile"),
				"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic", "--virtual-time-budget=30000", "--dump-dom", server.URL+"/").Output()
			if err != nil {
				t.Fatalf("chromium: %v", err)
			}
			triangles := 0
			for i := range mesh.Tiles[0].Regions {
				triangles += int(mesh.Tiles[0].Regions[i].Count) - 2
			}
			box, portals := mesh.Bounds(), len(mesh.Tiles[0].Portals)
			want := fmt.Sprintf("regions=%d portals=%d mutual=%d area=%.2f triangles=%d width=%.2f radius=%g", mesh.RegionCount(), portals, portals, mesh.Area(), triangles, box.Max.X-box.Min.X, mesh.Agent.Radius)
			if got := string(regexp.MustCompile(`(regions|error)=[^<]*|waiting`).Find(out)); got != want {
				t.Errorf("three.js found %q, want %q", got, want)
			}
		})
	}
}
