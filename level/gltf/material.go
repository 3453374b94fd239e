package gltf

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/qmuntal/gltf"

	"github.com/meadow-nav/meadow/level"
)

// materials fills the level's materials, one for each of the document. A faulty material is a warning: it
// cannot harm the geometry.
func (d *decoder) materials() {
	for i, m := range d.doc.Materials {
		out := level.Material{Color: [4]float32{1, 1, 1, 1}}
		if m != nil {
			out.Name = m.Name
			out.DoubleSided = m.DoubleSided
			factor, texture := baseColor(m)
			for k, c := range factor {
				out.Color[k] = float32(max(0, min(1, c)))
			}
			if texture != nil {
				var err error
				if out.Texture, err = d.textureName(texture.Index); err != nil {
					d.warnings.Addf("gltf: material %d: %v", i, err)
				}
			}
		}
		d.lvl.Materials = append(d.lvl.Materials, out)
	}
}

// baseColor returns the factor and the texture of the surface's own colour, in either of the two
// models of materials.
func baseColor(m *gltf.Material) ([4]float64, *gltf.TextureInfo) {
	if p := m.PBRMetallicRoughness; p != nil {
		return p.BaseColorFactorOrDefault(), p.BaseColorTexture
	}
	white := [4]float64{1, 1, 1, 1}
	raw, ok := m.Extensions["KHR_materials_pbrSpecularGlossiness"].(json.RawMessage)
	if !ok {
		return white, nil
	}
	diffuse := struct {
		DiffuseFactor  [4]float64
		DiffuseTexture *gltf.TextureInfo
	}{DiffuseFactor: white}
	if err := json.Unmarshal(raw, &diffuse); err != nil {
		return white, nil
	}
	return diffuse.DiffuseFactor, diffuse.DiffuseTexture
}

// textureName returns the file name of a texture, or the name of an image inside of the file. A name
// comes even with an error that the file is missing.
func (d *decoder) textureName(index int) (string, error) {
	t, err := at(d.doc.Textures, index, "texture")
	if err != nil {
		return "", err
	}
	source, ok := imageOf(t)
	if !ok {
		return t.Name, nil
	}
	im, err := at(d.doc.Images, source, "image")
	if err != nil {
		return "", err
	}
	if im.URI == "" || strings.HasPrefix(im.URI, "data:") {
		if im.Name == "" {
			return fmt.Sprintf("image %d", source), nil
		}
		return im.Name, nil
	}
	name, err := localPath(im.URI)
	if err != nil {
		return im.URI, fmt.Errorf("texture %w", err)
	}
	if !d.files.Exists(name) {
		return name, fmt.Errorf("texture %q is missing", name)
	}
	return name, nil
}

// imageOf returns the image of a texture: its source, or the image of an extension for another format.
func imageOf(t *gltf.Texture) (int, bool) {
	if t.Source != nil {
		return *t.Source, true
	}
	for _, name := range []string{"KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds"} {
		raw, ok := t.Extensions[name].(json.RawMessage)
		if !ok {
			continue
		}
		var ext struct{ Source *int }
		if err := json.Unmarshal(raw, &ext); err == nil && ext.Source != nil {
			return *ext.Source, true
		}
	}
	return 0, false
}
