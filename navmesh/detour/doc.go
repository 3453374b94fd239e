// Package detour reads and writes the mesh files of Detour, the run-time part of Recast Navigation by M. Mononen: tile data of
// version 7, and the sets of tiles and tile caches that RecastDemo saves. docs/formats/detour.md describes the files and tells what is kept.
package detour
