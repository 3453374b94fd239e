// How the programs of this folder build a mesh with Recast and Detour: the stages of RecastDemo, in one tile or in many.

#ifndef MEADOW_PEERS_BUILD_H
#define MEADOW_PEERS_BUILD_H

#include "common.h"

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

using ContourSet = Owned<rcContourSet, rcFreeContourSet>;
using PolyMesh = Owned<rcPolyMesh, rcFreePolyMesh>;
using DetailMesh = Owned<rcPolyMeshDetail, rcFreePolyMeshDetail>;

// Settings of a mesh are those of RecastDemo and its defaults. Sizes of regions are the sides of squares,
// counted in cells.
struct Settings {
    float radius = 0.6f, height = 2.0f, climb = 0.9f; // metres
    float slope = 45.0f;                              // degrees
    float cell = 0.3f, cellHeight = 0.2f;             // metres
    int regionMin = 8, regionMerge = 20;              // cells
    float edgeMaxLength = 12.0f;                      // metres
    float edgeMaxError = 1.3f;                        // cells
    int cornersPerPoly = 6;
    float detailDistance = 6.0f; // cells
    float detailError = 1.0f;    // cell heights

    int tile = 0;                // side in cells, 0 for one tile
};

// The stages of a build, in order. The last one is the sum.
enum Stage { Rasterize, Filter, Compact, Erode, Distance, Regions, Contours, Polys, Detail, Data, Total, StageCount };
const char* const stageNames[StageCount] = {"rasterize", "filter", "compact", "erode", "distance", "regions",
                                            "contours", "polys", "detail", "data", "total"};
using Times = std::array<double, StageCount>; // milliseconds

// Result is what a build leaves behind.
struct Result {
    PolyMesh polys;
    DetailMesh detail;
    NavMesh mesh;
    int spans = 0, width = 0, height = 0;
    int bytes = 0; // of the Detour tile
    Times ms{};
};

// The index of a cell's first span has 24 bits, a limit that Recast does not check itself.
const double maxSpans = 1 << 24;

inline rcConfig configure(const Level& level, const Settings& s) {
    rcConfig c{};
    c.cs = s.cell;
    c.ch = s.cellHeight;
    c.walkableSlopeAngle = s.slope;
    c.walkableHeight = static_cast<int>(std::ceil(s.height / s.cellHeight));
    c.walkableClimb = static_cast<int>(std::floor(s.climb / s.cellHeight));
    c.walkableRadius = static_cast<int>(std::ceil(s.radius / s.cell));
    c.maxEdgeLen = static_cast<int>(s.edgeMaxLength / s.cell);
    c.maxSimplificationError = s.edgeMaxError;
    c.minRegionArea = s.regionMin * s.regionMin;
    c.mergeRegionArea = s.regionMerge * s.regionMerge;
    c.maxVertsPerPoly = s.cornersPerPoly;
    c.detailSampleDist = s.cell * s.detailDistance;
    c.detailSampleMaxError = s.cellHeight * s.detailError;
    rcCalcBounds(level.vertices.data(), level.vertexCount(), c.bmin, c.bmax);
    rcCalcGridSize(c.bmin, c.bmax, c.cs, &c.width, &c.height);
    if (c.width < 1 || c.height < 1) throw Fault("the level is narrower than a cell");
    return c;
}

// fits fails if the grid of a level is too large for one tile.
inline void fits(const rcConfig& c) {
    if (double(c.width) * c.height > maxSpans)
        throw Fault(format("a grid of %d x %d cells is too large for one tile", c.width, c.height));
}

// tile packs a poly mesh as Detour's data at a place in the grid of tiles, with its detail mesh unless that is null.
inline unsigned char* tile(const rcPolyMesh& polys, const rcPolyMeshDetail* detail, const Settings& s, int* size, int x = 0, int z = 0) {
    dtNavMeshCreateParams p{};
    p.tileX = x;
    p.tileY = z;
    p.verts = polys.verts;
    p.vertCount = polys.nverts;
    p.polys = polys.polys;
    p.polyAreas = polys.areas;
    p.polyFlags = polys.flags;
    p.polyCount = polys.npolys;
    p.nvp = polys.nvp;
    if (detail != nullptr) {
        p.detailMeshes = detail->meshes;
        p.detailVerts = detail->verts;
        p.detailVertsCount = detail->nverts;
        p.detailTris = detail->tris;
        p.detailTriCount = detail->ntris;
    }
    p.walkableHeight = s.height;
    p.walkableRadius = s.radius;
    p.walkableClimb = s.climb;
    std::copy(polys.bmin, polys.bmin + 3, p.bmin);
    std::copy(polys.bmax, polys.bmax + 3, p.bmax);
    p.cs = s.cell;
    p.ch = s.cellHeight;
    p.buildBvTree = true;
    unsigned char* data = nullptr;
    check(dtCreateNavMeshData(&p, &data, size), "dtCreateNavMeshData");
    return data;
}

// polygons runs the stages up to the detail mesh on some triangles of a level. Without walkable floor the result has no polygons.
inline Result polygons(const Level& level, const std::vector<int>& triangles, const rcConfig& c) {
    Result r;
    Clock clock;
    rcContext context(false);
    rcContext* ctx = &context;
    r.width = c.width;
    r.height = c.height;

    Heightfield solid(rcAllocHeightfield());
    check(solid && rcCreateHeightfield(ctx, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch), "rcCreateHeightfield");
    const int count = static_cast<int>(triangles.size() / 3);
    std::vector<unsigned char> areas(count, 0);
    rcMarkWalkableTriangles(ctx, c.walkableSlopeAngle, level.vertices.data(), level.vertexCount(), triangles.data(), count, areas.data());
    check(rcRasterizeTriangles(ctx, level.vertices.data(), level.vertexCount(), triangles.data(), areas.data(), count, *solid, c.walkableClimb),
          "rcRasterizeTriangles");
    r.ms[Rasterize] = clock.lap();

    rcFilterLowHangingWalkableObstacles(ctx, c.walkableClimb, *solid);
    rcFilterLedgeSpans(ctx, c.walkableHeight, c.walkableClimb, *solid);
    rcFilterWalkableLowHeightSpans(ctx, c.walkableHeight, *solid);
    r.ms[Filter] = clock.lap();

    CompactHeightfield field(rcAllocCompactHeightfield());
    check(field && rcBuildCompactHeightfield(ctx, c.walkableHeight, c.walkableClimb, *solid, *field), "rcBuildCompactHeightfield");
    solid.reset();
    r.spans = field->spanCount;
    if (r.spans == 0) return r;
    if (r.spans >= maxSpans) throw Fault(format("%d spans are too many for one tile", r.spans));
    r.ms[Compact] = clock.lap();

    check(rcErodeWalkableArea(ctx, c.walkableRadius, *field), "rcErodeWalkableArea");
    r.ms[Erode] = clock.lap();

    check(rcBuildDistanceField(ctx, *field), "rcBuildDistanceField");
    r.ms[Distance] = clock.lap();

    check(rcBuildRegions(ctx, *field, c.borderSize, c.minRegionArea, c.mergeRegionArea), "rcBuildRegions");
    r.ms[Regions] = clock.lap();

    ContourSet contours(rcAllocContourSet());
    check(contours && rcBuildContours(ctx, *field, c.maxSimplificationError, c.maxEdgeLen, *contours), "rcBuildContours");
    if (contours->nconts == 0) return r;
    r.ms[Contours] = clock.lap();

    r.polys.reset(rcAllocPolyMesh());
    check(r.polys && rcBuildPolyMesh(ctx, *contours, c.maxVertsPerPoly, *r.polys), "rcBuildPolyMesh");
    if (r.polys->npolys == 0) return r;
    r.ms[Polys] = clock.lap();

    r.detail.reset(rcAllocPolyMeshDetail());
    check(r.detail && rcBuildPolyMeshDetail(ctx, *r.polys, *field, c.detailSampleDist, c.detailSampleMaxError, *r.detail),
          "rcBuildPolyMeshDetail");
    r.ms[Detail] = clock.lap();

    std::fill(r.polys->flags, r.polys->flags + r.polys->npolys, static_cast<unsigned short>(1));
    std::fill(r.polys->areas, r.polys->areas + r.polys->npolys, static_cast<unsigned char>(0)); // ground, as in RecastDemo
    return r;
}

// build runs every stage once, in one tile.
inline Result build(const Level& level, const rcConfig& c, const Settings& s) {
    Clock whole;
    fits(c);
    Result r = polygons(level, level.triangles, c);
    if (r.polys == nullptr || r.polys->npolys == 0) throw Fault("no polygons: nothing is walkable");
    Clock clock;
    unsigned char* data = tile(*r.polys, r.detail.get(), s, &r.bytes);
    r.mesh.reset(dtAllocNavMesh());
    check(r.mesh && dtStatusSucceed(r.mesh->init(data, r.bytes, DT_TILE_FREE_DATA)), "dtNavMesh::init");
    r.ms[Data] = clock.lap();
    r.ms[Total] = whole.lap();
    return r;
}

// grid returns the triangles over each tile with its margin, row by row.
inline std::vector<std::vector<int>> grid(const Level& level, const rcConfig& c, float side, float margin, int columns, int rows) {
    std::vector<std::vector<int>> tiles(static_cast<size_t>(columns) * rows);
    auto column = [&](float x, int count) { return std::min(std::max(static_cast<int>(std::floor(x / side)), 0), count - 1); };
    for (size_t t = 0; t < level.triangles.size(); t += 3) {
        float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int k = 0; k < 3; k++) {
            const float* v = &level.vertices[static_cast<size_t>(level.triangles[t + k]) * 3];
            for (int axis = 0; axis < 2; axis++) {
                float at = v[2 * axis] - c.bmin[2 * axis];
                low[axis] = std::min(low[axis], at);
                high[axis] = std::max(high[axis], at);
            }
        }
        for (int z = column(low[1] - margin, rows); z <= column(high[1] + margin, rows); z++)
            for (int x = column(low[0] - margin, columns); x <= column(high[0] + margin, columns); x++) {
                std::vector<int>& list = tiles[static_cast<size_t>(z) * columns + x];
                list.insert(list.end(), level.triangles.begin() + t, level.triangles.begin() + t + 3);
            }
    }
    return tiles;
}

// Tiles is a mesh in tiles.
struct Tiles {
    NavMesh mesh;
    int polys = 0;
    double ms = 0;
};

// bits is the number of bits for numbers below n.
inline int bits(int n) {
    int count = 0;
    while ((1 << count) < n) count++;
    return count;
}

// buildTiles builds tiles as RecastDemo does, each with a margin of the radius and three cells.
inline Tiles buildTiles(const Level& level, const rcConfig& whole, const Settings& s) {
    Clock clock;
    rcConfig c = whole;
    c.tileSize = s.tile;
    c.borderSize = c.walkableRadius + 3;
    c.width = c.height = c.tileSize + 2 * c.borderSize;
    const float side = float(c.tileSize) * c.cs, margin = float(c.borderSize) * c.cs;
    const int columns = (whole.width + c.tileSize - 1) / c.tileSize, rows = (whole.height + c.tileSize - 1) / c.tileSize;
    // References have 22 bits for the tile and the polygon.
    const int tileBits = bits(columns * rows);
    if (tileBits > 16) throw Fault(format("%d x %d tiles are too many", columns, rows));
    std::vector<std::vector<int>> triangles = grid(level, whole, side, margin, columns, rows);
    Tiles all;
    all.mesh.reset(dtAllocNavMesh());
    dtNavMeshParams params{};
    std::copy(whole.bmin, whole.bmin + 3, params.orig);
    params.tileWidth = params.tileHeight = side;
    params.maxTiles = 1 << tileBits;
    params.maxPolys = 1 << std::min(22 - tileBits, 16);
    check(all.mesh && dtStatusSucceed(all.mesh->init(&params)), "dtNavMesh::init");
    for (int z = 0; z < rows; z++)
        for (int x = 0; x < columns; x++) {
            const std::vector<int>& some = triangles[static_cast<size_t>(z) * columns + x];
            if (some.empty()) continue;
            c.bmin[0] = whole.bmin[0] + float(x) * side - margin;
            c.bmin[2] = whole.bmin[2] + float(z) * side - margin;
            c.bmax[0] = whole.bmin[0] + float(x + 1) * side + margin;
            c.bmax[2] = whole.bmin[2] + float(z + 1) * side + margin;
            Result r = polygons(level, some, c);
            if (r.polys == nullptr || r.polys->npolys == 0) continue;
            int size = 0;
            unsigned char* data = tile(*r.polys, r.detail.get(), s, &size, x, z);
            dtTileRef ref = 0;
            if (dtStatusFailed(all.mesh->addTile(data, size, DT_TILE_FREE_DATA, 0, &ref))) {
                dtFree(data);
                throw Fault(format("dtNavMesh::addTile failed at %d,%d", x, z));
            }
            all.polys += r.polys->npolys;
        }
    if (all.polys == 0) throw Fault("no polygons: nothing is walkable");
    all.ms = clock.lap();
    return all;
}

#endif
