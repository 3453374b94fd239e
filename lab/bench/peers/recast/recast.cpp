// recast builds the navigation mesh of one OBJ level with Recast and Detour, several times in one
// process, and prints one line of JSON: settings, time of every stage, and what came out. It is the
// other half of the benchmark in main.go and uses nothing but the public headers.
//
// A build is timed from the triangles in memory to a usable dtNavMesh: one tile, watershed
// partitioning, all three filters, no off-mesh connections. Lengths are in metres.
//
//   recast [--radius m] [--height m] [--climb m] [--slope deg] [--cell m] [--cell-height m]
//          [--runs n] [--slice ms] [--border] [--queries FILE] LEVEL.obj
//   recast [settings] --paths FILE [--tile cells] [--rounds n] [--cold n] LEVEL.obj
//
// One build warms up and is not counted; then there are up to n counted ones, at least one, and none
// is begun after the slice of time is over. --border adds the border of the largest component, --queries what
// becomes of queries besides paths at the pairs of places in a file of six numbers a line.
//
// --paths builds once, in one tile or in tiles of so many cells, and asks for the paths between the pairs of the file, each in
// a single call, n rounds after each other. The first so many pairs are also asked with cold caches.
// Exit status: 0 done, 1 the level cannot be built (one line on stderr says why), 2 bad usage.

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <Recast.h>

#include "common.h"
#include "queries.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using ContourSet = Owned<rcContourSet, rcFreeContourSet>;
using PolyMesh = Owned<rcPolyMesh, rcFreePolyMesh>;
using DetailMesh = Owned<rcPolyMeshDetail, rcFreePolyMeshDetail>;

// Settings are those of RecastDemo and its defaults. Sizes of regions are the sides of squares,
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

    int runs = 1;
    double slice = 0; // milliseconds
    bool border = false;
    std::string queries, paths;
    int tile = 0; // side in cells, 0 for one tile
    int rounds = 1, cold = 0;
    std::string path;
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

rcConfig configure(const Level& level, const Settings& s) {
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
void fits(const rcConfig& c) {
    if (double(c.width) * c.height > maxSpans)
        throw Fault(format("a grid of %d x %d cells is too large for one tile", c.width, c.height));
}

// tile packs a poly mesh as Detour's data at a place in the grid of tiles, with its detail mesh unless that is null.
unsigned char* tile(const rcPolyMesh& polys, const rcPolyMeshDetail* detail, const Settings& s, int* size, int x = 0, int z = 0) {
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
Result polygons(const Level& level, const std::vector<int>& triangles, const rcConfig& c) {
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
    return r;
}

// build runs every stage once, in one tile.
Result build(const Level& level, const rcConfig& c, const Settings& s) {
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
std::vector<std::vector<int>> grid(const Level& level, const rcConfig& c, float side, float margin, int columns, int rows) {
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
int bits(int n) {
    int count = 0;
    while ((1 << count) < n) count++;
    return count;
}

// buildTiles builds tiles as RecastDemo does, each with a margin of the radius and three cells.
Tiles buildTiles(const Level& level, const rcConfig& whole, const Settings& s) {
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

// answerPaths prints the paths, and which mesh gave them.
void answerPaths(const Level& level, const rcConfig& config, const Settings& s) {
    Tiles tiles;
    if (s.tile > 0) {
        tiles = buildTiles(level, config, s);
    } else {
        Result r = build(level, config, s);
        tiles.mesh = std::move(r.mesh);
        tiles.polys = r.polys->npolys;
        tiles.ms = r.ms[Total];
    }
    std::printf("{\"polys\":%d,\"build_ms\":%.3f", tiles.polys, tiles.ms);
    queries::paths(*tiles.mesh, s.paths, s.rounds, s.cold);
    std::printf("}\n");
}

// Poly gives access to one polygon of a mesh: its corners, and the polygon behind each edge.
struct Poly {
    const rcPolyMesh& mesh;
    const unsigned short* entry;

    Poly(const rcPolyMesh& m, int i) : mesh(m), entry(m.polys + static_cast<size_t>(i) * 2 * m.nvp) {}
    int corners() const {
        int n = 0;
        while (n < mesh.nvp && entry[n] != RC_MESH_NULL_IDX) n++;
        return n;
    }
    // neighbour is -1 where the edge from corner i is border.
    int neighbour(int i) const {
        unsigned short n = entry[mesh.nvp + i];
        return n == RC_MESH_NULL_IDX || (n & 0x8000) != 0 ? -1 : n;
    }
    std::array<double, 3> corner(int i) const {
        const unsigned short* v = mesh.verts + static_cast<size_t>(entry[i % corners()]) * 3;
        return {mesh.bmin[0] + v[0] * double(mesh.cs), mesh.bmin[1] + v[1] * double(mesh.ch), mesh.bmin[2] + v[2] * double(mesh.cs)};
    }
    // area is projected to the ground, in square metres.
    double area() const {
        double sum = 0;
        for (int i = 0, n = corners(); i < n; i++) {
            auto a = corner(i), b = corner(i + 1);
            sum += a[0] * b[2] - a[2] * b[0];
        }
        return std::fabs(sum) / 2;
    }
};

// Part is a set of polygons that can reach each other.
struct Part {
    std::vector<int> polys;
    double area = 0; // square metres
};

// parts floods over neighbours.
std::vector<Part> parts(const rcPolyMesh& mesh) {
    std::vector<Part> all;
    std::vector<bool> seen(mesh.npolys, false);
    for (int first = 0; first < mesh.npolys; first++) {
        if (seen[first]) continue;
        seen[first] = true;
        Part part;
        part.polys.push_back(first);
        for (size_t next = 0; next < part.polys.size(); next++) {
            Poly poly(mesh, part.polys[next]);
            part.area += poly.area();
            for (int i = 0, n = poly.corners(); i < n; i++) {
                int other = poly.neighbour(i);
                if (other >= 0 && !seen[other]) {
                    seen[other] = true;
                    part.polys.push_back(other);
                }
            }
        }
        all.push_back(std::move(part));
    }
    return all;
}

// Extent is what is counted of a set of polygons.
struct Extent {
    int polys = 0, vertices = 0, detailTriangles = 0;
    double area = 0, border = 0; // square metres, metres
};

Extent measure(const Result& r, const std::vector<int>& polys) {
    Extent e;
    std::vector<bool> used(r.polys->nverts, false);
    for (int p : polys) {
        Poly poly(*r.polys, p);
        e.polys++;
        e.area += poly.area();
        e.detailTriangles += static_cast<int>(r.detail->meshes[p * 4 + 3]);
        for (int i = 0, n = poly.corners(); i < n; i++) {
            if (!used[poly.entry[i]]) e.vertices++;
            used[poly.entry[i]] = true;
            if (poly.neighbour(i) < 0) {
                auto a = poly.corner(i), b = poly.corner(i + 1);
                e.border += std::hypot(a[0] - b[0], a[2] - b[2]);
            }
        }
    }
    return e;
}

void print(const char* name, const Extent& e) {
    std::printf(",\"%s\":{\"polys\":%d,\"vertices\":%d,\"detail_triangles\":%d,\"area_m2\":%.4f,\"border_m\":%.4f}", name,
                e.polys, e.vertices, e.detailTriangles, e.area, e.border);
}

double median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    size_t n = v.size();
    return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

void report(const Settings& s, const Level& level, const Result& r, const std::vector<Times>& runs) {
    std::printf("{\"triangles\":%d,\"cell_m\":%g,\"cell_height_m\":%g,\"width\":%d,\"height\":%d,\"spans\":%d", level.triangleCount(),
                s.cell, s.cellHeight, r.width, r.height, r.spans);
    std::printf(",\"ms\":{");
    for (int stage = 0; stage < StageCount; stage++) {
        std::vector<double> values;
        for (const Times& t : runs) values.push_back(t[stage]);
        std::printf("%s\"%s\":%.4f", stage == 0 ? "" : ",", stageNames[stage], median(values));
    }
    std::printf("},\"total_ms\":[");
    for (size_t i = 0; i < runs.size(); i++) std::printf("%s%.4f", i == 0 ? "" : ",", runs[i][Total]);
    std::printf("]");

    int bare = 0;
    dtFree(tile(*r.polys, nullptr, s, &bare));
    std::printf(",\"bytes\":%d,\"bytes_without_detail\":%d", r.bytes, bare);

    std::vector<Part> all = parts(*r.polys);
    const Part& largest = *std::max_element(all.begin(), all.end(), [](const Part& a, const Part& b) { return a.area < b.area; });
    std::vector<int> every;
    for (const Part& p : all) every.insert(every.end(), p.polys.begin(), p.polys.end());
    std::printf(",\"components\":%zu", all.size());
    print("all", measure(r, every));
    print("largest", measure(r, largest.polys));

    if (s.border) {
        std::printf(",\"border\":[");
        const char* separator = "";
        for (int p : largest.polys) {
            Poly poly(*r.polys, p);
            for (int i = 0, n = poly.corners(); i < n; i++) {
                if (poly.neighbour(i) >= 0) continue;
                auto a = poly.corner(i), b = poly.corner(i + 1);
                std::printf("%s[%.6f,%.6f,%.6f,%.6f,%.6f,%.6f]", separator, a[0], a[1], a[2], b[0], b[1], b[2]);
                separator = ",";
            }
        }
        std::printf("]");
    }
    if (!s.queries.empty()) queries::run(*r.mesh, s.queries);
    std::printf("}\n");
}

Settings arguments(int count, char** values) {
    Settings s;
    for (int i = 1; i < count; i++) {
        std::string name = values[i];
        if (name == "--border") {
            s.border = true;
            continue;
        }
        if (name == "--queries" || name == "--paths") {
            if (i + 1 == count) throw Usage(name + " needs a file");
            (name == "--paths" ? s.paths : s.queries) = values[++i];
            continue;
        }
        if (name.rfind("--", 0) != 0) {
            s.path = name;
            continue;
        }
        char* end = nullptr;
        double value = i + 1 < count ? std::strtod(values[++i], &end) : 0;
        if (end == nullptr || *end != '\0' || !(value > 0)) throw Usage(name + " needs a number above 0");
        if (name == "--radius") s.radius = static_cast<float>(value);
        else if (name == "--height") s.height = static_cast<float>(value);
        else if (name == "--climb") s.climb = static_cast<float>(value);
        else if (name == "--slope") s.slope = static_cast<float>(value);
        else if (name == "--cell") s.cell = static_cast<float>(value);
        else if (name == "--cell-height") s.cellHeight = static_cast<float>(value);
        else if (name == "--runs") s.runs = static_cast<int>(value);
        else if (name == "--tile") s.tile = static_cast<int>(value);
        else if (name == "--rounds") s.rounds = static_cast<int>(value);
        else if (name == "--cold") s.cold = static_cast<int>(value);
        else if (name == "--slice") s.slice = value;
        else throw Usage("no option " + name);
    }
    if (s.path.empty()) throw Usage("no level given");
    return s;
}

} // namespace

int main(int count, char** values) {
    try {
        Settings s = arguments(count, values);
        Level level = readLevel(s.path);
        rcConfig config = configure(level, s);
        if (!s.paths.empty()) {
            answerPaths(level, config, s);
            return 0;
        }
        Result result = build(level, config, s);
        std::vector<Times> runs;
        double spent = 0;
        do {
            result = build(level, config, s);
            runs.push_back(result.ms);
            spent += result.ms[Total];
        } while (static_cast<int>(runs.size()) < s.runs && (s.slice == 0 || spent < s.slice));
        report(s, level, result, runs);
        return 0;
    } catch (const Usage& e) {
        std::fprintf(stderr, "recast: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "recast: %s\n", e.what());
        return 1;
    }
}
