// tilecache puts obstacles into the navigation mesh of one OBJ level with Detour's tile cache and prints the times: the other
// half of lab/bench/worlds. The program uses nothing but the public headers.
//
// Settings are the defaults of RecastDemo's temporary obstacles, on one core, but for three in favour of the tile cache: layers are
// stored without compression, so that an update copies a tile instead of decompressing it; the allocator of an update never
// runs full; and --tile may make tiles smaller. Lengths are in metres, times in microseconds.
//
//   tilecache [--radius m] [--height m] [--climb m] [--slope deg] [--cell m] [--cell-height m]
//             [--tile cells] [--obstacles n] [--processor] [--save CACHE --mesh SET] LEVEL.obj
//
// The program prints a line of JSON about the level, then reads commands from stdin and prints a line of JSON for each:
//
//   one X Y Z R H  X2 Y2 Z2  AX AY AZ  BX BY BZ   a cylinder (middle of the bottom, radius, height) comes, moves and goes;
//                                                 after each change one path from A to B
//   batch N                                       N lines X Y Z R H follow: all come at once, then all go at once
//
// --save and --mesh write RecastDemo's files of the tile cache (TSET, compressed with FastLZ) and of the mesh that the tile cache
// makes (MSET). Squares of 3 m get areas as a chess board with water and doors would. The program then reads no commands.
//
// A change is timed until the tile cache says that it is up to date; --processor counts processor time, for busy machines. Exit status: 0 done, 1 the level cannot be built or
// the tile cache refuses (one line on stderr says why), 2 bad usage.

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>
#include <Recast.h>

#include "cacheset.h"
#include "common.h"
#include "set.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

namespace {

using LayerSet = Owned<rcHeightfieldLayerSet, rcFreeHeightfieldLayerSet>;
using TileCache = Owned<dtTileCache, dtFreeTileCache>;
using NavQuery = Owned<dtNavMeshQuery, dtFreeNavMeshQuery>;

// Settings are those of RecastDemo and its defaults.
struct Settings {
    float radius = 0.6f, height = 2.0f, climb = 0.9f; // metres
    float slope = 45.0f;                              // degrees
    float cell = 0.3f, cellHeight = 0.2f;             // metres
    float edgeMaxError = 1.3f;                        // cells
    int tile = 48;                                    // cells
    int obstacles = 128;
    std::string path;
    std::string saveCache, saveMesh;
};

// Copier stores layers as they are.
struct Copier : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override { return size; }
    dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int, int* written) override {
        std::memcpy(to, from, static_cast<size_t>(*written = size));
        return DT_SUCCESS;
    }
    dtStatus decompress(const unsigned char* from, const int size, unsigned char* to, const int most, int* written) override {
        if (size > most) return DT_FAILURE;
        std::memcpy(to, from, static_cast<size_t>(*written = size));
        return DT_SUCCESS;
    }
};

// Arena gives memory for the rebuild of one tile and takes all of it back at once.
struct Arena : dtTileCacheAlloc {
    std::vector<unsigned char> memory = std::vector<unsigned char>(1 << 20);
    size_t used = 0;

    void reset() override { used = 0; }
    void* alloc(const size_t size) override {
        if (used + size > memory.size()) throw Fault("a tile needs more than 1 MiB");
        void* p = memory.data() + used;
        used += (size + 15) & ~size_t(15);
        return p;
    }
    void free(void*) override {}
};

// Opener lets everybody pass every polygon. Areas and flags are RecastDemo's: water is 1, a door 3.
struct Opener : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* p, unsigned char* areas, unsigned short* flags) override {
        for (int i = 0; i < p->polyCount; i++) {
            if (areas[i] == DT_TILECACHE_WALKABLE_AREA) areas[i] = 0;
            flags[i] = areas[i] == 1 ? 2 : areas[i] == 3 ? 5 : 1;
        }
    }
};

// Layer is a layer of a tile as the tile cache stores it.
struct Layer {
    unsigned char* data;
    int size;
};

// Cylinder is an obstacle: the middle of its bottom, x, y, z.
struct Cylinder {
    float at[3], radius, height;
};

// World is a level in a tile cache.
class World {
    Settings s;
    rcConfig config{};
    int tilesX = 0, tilesZ = 0, layers = 0;
    Copier copier;
    FastLZ fastLZ;
    Arena arena;
    Opener opener;
    NavMesh mesh;    // after the three that the cache uses
    TileCache cache;
    NavQuery query;
    dtQueryFilter filter;

public:
    World(const Level& level, const Settings& settings) : s(settings) {
        Clock clock;
        configure(level);
        std::vector<Layer> all = rasterize(level);
        open(all);
        double rasterized = clock.lap();
        // The order of RecastDemo when it loads a file.
        for (int i = 0; i < layers; i++)
            check(dtStatusSucceed(cache->buildNavMeshTile(cache->getTileRef(cache->getTile(i)), mesh.get())), "buildNavMeshTile");
        double built = clock.lap();
        int tiles = 0, polys = 0;
        for (int i = 0; i < mesh->getMaxTiles(); i++) {
            const dtMeshTile* t = const_cast<const dtNavMesh&>(*mesh).getTile(i);
            if (t->header == nullptr) continue;
            tiles++;
            polys += t->header->polyCount;
        }
        std::printf("{\"triangles\":%d,\"tile_cells\":%d,\"layers\":%d,\"tiles\":%d,\"polys\":%d,\"layers_ms\":%.3f,\"mesh_ms\":%.3f}\n",
                    level.triangleCount(), s.tile, layers, tiles, polys, rasterized, built);
    }

    // save writes the files that the settings name.
    void save() const {
        ::saveCache(*cache, *mesh, s.saveCache);
        saveSet(*mesh, s.saveMesh);
    }

    // one lets a cylinder come, move and go.
    void one(const Cylinder& c, const float* to, const float* a, const float* b) {
        const char* const names[] = {"in", "move", "out"};
        Cylinder moved = c;
        dtVcopy(moved.at, to);
        bool free = stands(c.at), freeThere = stands(to), blocked = false, back = false;
        dtObstacleRef ref = 0;
        std::printf("{");
        for (int k = 0; k < 3; k++) {
            Clock clock;
            if (k > 0) check(dtStatusSucceed(cache->removeObstacle(ref)), "removeObstacle");
            if (k < 2) ref = add(k == 0 ? c : moved);
            update();
            double change = clock.lap();
            bool found = path(a, b);
            double asked = clock.lap();
            std::printf("\"%s\":{\"change_us\":%.3f,\"path_us\":%.3f,\"found\":%s},", names[k], 1000 * change, 1000 * asked, found ? "true" : "false");
            if (k == 0) blocked = !stands(c.at);
            if (k == 2) back = stands(c.at) == free && stands(to) == freeThere;
        }
        std::printf("\"free\":%s,\"blocked\":%s,\"back\":%s}\n", free ? "true" : "false", blocked ? "true" : "false", back ? "true" : "false");
    }

    // batch lets all cylinders come at once, and go at once. An obstacle is lost if its place was free and is free afterwards.
    void batch(const std::vector<Cylinder>& all) {
        std::vector<bool> free;
        for (const Cylinder& c : all) free.push_back(stands(c.at));
        std::vector<dtObstacleRef> refs;
        int refused = 0;
        Clock clock;
        for (const Cylinder& c : all) {
            dtObstacleRef ref = 0;
            if (dtStatusFailed(cache->addObstacle(c.at, c.radius, c.height, &ref))) {
                refused++; // the queue is full
                update();
                ref = add(c);
            }
            refs.push_back(ref);
        }
        update();
        double in = clock.lap();
        int lost = 0, ghosts = 0;
        for (size_t i = 0; i < all.size(); i++) lost += free[i] && stands(all[i].at);
        clock.lap();
        for (dtObstacleRef ref : refs) {
            if (dtStatusSucceed(cache->removeObstacle(ref))) continue;
            update();
            check(dtStatusSucceed(cache->removeObstacle(ref)), "removeObstacle");
        }
        update();
        double out = clock.lap();
        for (size_t i = 0; i < all.size(); i++) ghosts += free[i] && !stands(all[i].at);
        std::printf("{\"in_us\":%.3f,\"out_us\":%.3f,\"refused\":%d,\"lost\":%d,\"ghosts\":%d}\n", 1000 * in, 1000 * out, refused, lost, ghosts);
        for (const Cylinder& c : all) rebuild(c);
    }

private:
    void configure(const Level& level) {
        config.cs = s.cell;
        config.ch = s.cellHeight;
        config.walkableSlopeAngle = s.slope;
        config.walkableHeight = static_cast<int>(std::ceil(s.height / s.cellHeight));
        config.walkableClimb = static_cast<int>(std::floor(s.climb / s.cellHeight));
        config.walkableRadius = static_cast<int>(std::ceil(s.radius / s.cell));
        config.maxSimplificationError = s.edgeMaxError;
        config.tileSize = s.tile;
        config.borderSize = config.walkableRadius + 3;
        config.width = config.height = s.tile + 2 * config.borderSize;
        rcCalcBounds(level.vertices.data(), level.vertexCount(), config.bmin, config.bmax);
        int width = 0, height = 0;
        rcCalcGridSize(config.bmin, config.bmax, config.cs, &width, &height);
        if (width < 1 || height < 1) throw Fault("the level is narrower than a cell");
        tilesX = (width + s.tile - 1) / s.tile;
        tilesZ = (height + s.tile - 1) / s.tile;
        if (double(tilesX) * tilesZ > 1 << 20) throw Fault(format("%d x %d tiles are too many", tilesX, tilesZ));
    }

    // tileOf is the number of the tile in which a coordinate lies, limited to the level.
    int tileOf(float v, float origin, int count) const {
        return std::clamp(static_cast<int>(std::floor((v - origin) / (s.tile * s.cell))), 0, count - 1);
    }

    // rasterize makes the layers of all tiles. A tile sees the triangles whose bounds meet the tile and its border.
    std::vector<Layer> rasterize(const Level& level) {
        float border = config.borderSize * config.cs;
        std::vector<std::vector<int>> near(static_cast<size_t>(tilesX) * tilesZ);
        for (size_t t = 0; t < level.triangles.size(); t += 3) {
            float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
            for (size_t k = 0; k < 3; k++) {
                const float* v = &level.vertices[static_cast<size_t>(level.triangles[t + k]) * 3];
                for (int axis = 0; axis < 2; axis++) {
                    low[axis] = std::min(low[axis], v[2 * axis]);
                    high[axis] = std::max(high[axis], v[2 * axis]);
                }
            }
            int toX = tileOf(high[0] + border, config.bmin[0], tilesX), toZ = tileOf(high[1] + border, config.bmin[2], tilesZ);
            for (int z = tileOf(low[1] - border, config.bmin[2], tilesZ); z <= toZ; z++)
                for (int x = tileOf(low[0] - border, config.bmin[0], tilesX); x <= toX; x++) {
                    std::vector<int>& list = near[static_cast<size_t>(z) * tilesX + x];
                    list.insert(list.end(), &level.triangles[t], &level.triangles[t] + 3);
                }
        }
        std::vector<Layer> all;
        for (int z = 0; z < tilesZ; z++)
            for (int x = 0; x < tilesX; x++) {
                const std::vector<int>& triangles = near[static_cast<size_t>(z) * tilesX + x];
                if (!triangles.empty()) rasterizeTile(level, triangles, x, z, all);
            }
        return all;
    }

    void rasterizeTile(const Level& level, const std::vector<int>& triangles, int x, int z, std::vector<Layer>& all) {
        rcConfig c = config;
        float side = c.tileSize * c.cs, border = c.borderSize * c.cs;
        c.bmin[0] = config.bmin[0] + x * side - border;
        c.bmin[2] = config.bmin[2] + z * side - border;
        c.bmax[0] = config.bmin[0] + (x + 1) * side + border;
        c.bmax[2] = config.bmin[2] + (z + 1) * side + border;
        rcContext context(false);
        rcContext* ctx = &context;
        int count = static_cast<int>(triangles.size() / 3);

        Heightfield solid(rcAllocHeightfield());
        check(solid && rcCreateHeightfield(ctx, *solid, c.width, c.height, c.bmin, c.bmax, c.cs, c.ch), "rcCreateHeightfield");
        std::vector<unsigned char> areas(count, 0);
        rcMarkWalkableTriangles(ctx, c.walkableSlopeAngle, level.vertices.data(), level.vertexCount(), triangles.data(), count, areas.data());
        check(rcRasterizeTriangles(ctx, level.vertices.data(), level.vertexCount(), triangles.data(), areas.data(), count, *solid, c.walkableClimb),
              "rcRasterizeTriangles");
        rcFilterLowHangingWalkableObstacles(ctx, c.walkableClimb, *solid);
        rcFilterLedgeSpans(ctx, c.walkableHeight, c.walkableClimb, *solid);
        rcFilterWalkableLowHeightSpans(ctx, c.walkableHeight, *solid);

        CompactHeightfield field(rcAllocCompactHeightfield());
        check(field && rcBuildCompactHeightfield(ctx, c.walkableHeight, c.walkableClimb, *solid, *field), "rcBuildCompactHeightfield");
        check(rcErodeWalkableArea(ctx, c.walkableRadius, *field), "rcErodeWalkableArea");
        LayerSet set(rcAllocHeightfieldLayerSet());
        check(set && rcBuildHeightfieldLayers(ctx, *field, c.borderSize, c.walkableHeight, *set), "rcBuildHeightfieldLayers");
        for (int i = 0; i < set->nlayers; i++) {
            rcHeightfieldLayer& from = set->layers[i];
            if (!s.saveCache.empty()) paint(from);
            dtTileCacheLayerHeader h{};
            h.magic = DT_TILECACHE_MAGIC;
            h.version = DT_TILECACHE_VERSION;
            h.tx = x;
            h.ty = z;
            h.tlayer = i;
            dtVcopy(h.bmin, from.bmin);
            dtVcopy(h.bmax, from.bmax);
            h.width = static_cast<unsigned char>(from.width);
            h.height = static_cast<unsigned char>(from.height);
            h.minx = static_cast<unsigned char>(from.minx);
            h.maxx = static_cast<unsigned char>(from.maxx);
            h.miny = static_cast<unsigned char>(from.miny);
            h.maxy = static_cast<unsigned char>(from.maxy);
            h.hmin = static_cast<unsigned short>(from.hmin);
            h.hmax = static_cast<unsigned short>(from.hmax);
            Layer layer{};
            check(dtStatusSucceed(dtBuildTileCacheLayer(&compressor(), &h, from.heights, from.areas, from.cons, &layer.data, &layer.size)),
                  "dtBuildTileCacheLayer");
            all.push_back(layer);
        }
    }

    dtTileCacheCompressor& compressor() {
        if (s.saveCache.empty()) return copier;
        return fastLZ;
    }

    // paint gives some squares of 3 m the area of water or of a door.
    void paint(rcHeightfieldLayer& layer) const {
        for (int z = 0; z < layer.height; z++)
            for (int x = 0; x < layer.width; x++) {
                unsigned char& area = layer.areas[x + z * layer.width];
                int column = static_cast<int>(std::floor((layer.bmin[0] + (x + 0.5f) * s.cell) / 3));
                int row = static_cast<int>(std::floor((layer.bmin[2] + (z + 0.5f) * s.cell) / 3));
                unsigned kind = static_cast<unsigned>(3 * column + 5 * row) % 11;
                if (area != DT_TILECACHE_NULL_AREA && (kind == 1 || kind == 3)) area = static_cast<unsigned char>(kind);
            }
    }

    // open makes the tile cache, the mesh and the query. A reference to a polygon has 22 bits for tile and polygon.
    void open(const std::vector<Layer>& all) {
        layers = static_cast<int>(all.size());
        if (layers == 0) throw Fault("no layers: nothing is walkable");
        int bits = 1;
        while (1 << bits < layers) bits++;
        if (bits > 16) throw Fault(format("%d layers are too many", layers));

        dtTileCacheParams p{};
        rcVcopy(p.orig, config.bmin);
        p.cs = s.cell;
        p.ch = s.cellHeight;
        p.width = p.height = s.tile;
        p.walkableHeight = s.height;
        p.walkableRadius = s.radius;
        p.walkableClimb = s.climb;
        p.maxSimplificationError = s.edgeMaxError;
        p.maxTiles = 1 << bits;
        p.maxObstacles = s.obstacles;
        cache.reset(dtAllocTileCache());
        check(cache && dtStatusSucceed(cache->init(&p, &arena, &compressor(), &opener)), "dtTileCache::init");

        dtNavMeshParams n{};
        rcVcopy(n.orig, config.bmin);
        n.tileWidth = n.tileHeight = s.tile * s.cell;
        n.maxTiles = 1 << bits;
        n.maxPolys = 1 << (22 - bits);
        mesh.reset(dtAllocNavMesh());
        check(mesh && dtStatusSucceed(mesh->init(&n)), "dtNavMesh::init");
        for (const Layer& l : all) check(dtStatusSucceed(cache->addTile(l.data, l.size, DT_COMPRESSEDTILE_FREE_DATA, nullptr)), "addTile");
        query.reset(dtAllocNavMeshQuery());
        check(query && dtStatusSucceed(query->init(mesh.get(), 2048)), "dtNavMeshQuery::init");
    }

    dtObstacleRef add(const Cylinder& c) {
        dtObstacleRef ref = 0;
        check(dtStatusSucceed(cache->addObstacle(c.at, c.radius, c.height, &ref)), "addObstacle");
        return ref;
    }

    // update works until the cache says that nothing is left to do.
    void update() {
        for (bool done = false; !done;) check(dtStatusSucceed(cache->update(0, mesh.get(), &done)), "update");
    }

    // rebuild makes the tiles around an obstacle anew, for those that a batch has left out.
    void rebuild(const Cylinder& c) {
        float reach = c.radius + s.tile * s.cell;
        int toX = tileOf(c.at[0] + reach, config.bmin[0], tilesX), toZ = tileOf(c.at[2] + reach, config.bmin[2], tilesZ);
        for (int z = tileOf(c.at[2] - reach, config.bmin[2], tilesZ); z <= toZ; z++)
            for (int x = tileOf(c.at[0] - reach, config.bmin[0], tilesX); x <= toX; x++)
                check(dtStatusSucceed(cache->buildNavMeshTilesAt(x, z, mesh.get())), "buildNavMeshTilesAt");
    }

    // stands reports whether the mesh has floor at a place.
    bool stands(const float* p) {
        const float extents[3] = {0.05f, 1.5f, 0.05f};
        dtPolyRef ref = 0;
        float at[3];
        query->findNearestPoly(p, extents, &filter, &ref, at);
        return ref != 0 && std::hypot(at[0] - p[0], at[2] - p[2]) < 0.01;
    }

    // path finds a path from place to place, as the demo does, and reports whether the goal is reached.
    bool path(const float* a, const float* b) {
        const int most = 256;
        const float extents[3] = {2, 4, 2};
        dtPolyRef from = 0, to = 0, polys[most], corners[most];
        float start[3], goal[3], points[3 * most];
        unsigned char flags[most];
        int count = 0, straight = 0;
        query->findNearestPoly(a, extents, &filter, &from, start);
        query->findNearestPoly(b, extents, &filter, &to, goal);
        if (from == 0 || to == 0) return false;
        query->findPath(from, to, start, goal, &filter, polys, &count, most);
        if (count == 0) return false;
        query->findStraightPath(start, goal, polys, count, points, flags, corners, &straight, most);
        return polys[count - 1] == to;
    }
};

template <size_t N>
void read(std::istream& in, float (&values)[N]) {
    for (float& v : values) in >> v;
    if (!in) throw Usage(format("a command has fewer than %zu numbers", N));
}

Cylinder cylinder(const float* v) { return {{v[0], v[1], v[2]}, v[3], v[4]}; }

void obey(World& world, std::istream& in) {
    for (std::string command; in >> command;) {
        if (command == "one") {
            float v[14];
            read(in, v);
            world.one(cylinder(v), v + 5, v + 8, v + 11);
        } else if (command == "batch") {
            int count = 0;
            if (!(in >> count) || count < 1) throw Usage("batch needs a number above 0");
            std::vector<Cylinder> all;
            for (int i = 0; i < count; i++) {
                float v[5];
                read(in, v);
                all.push_back(cylinder(v));
            }
            world.batch(all);
        } else {
            throw Usage("no command " + command);
        }
        std::fflush(stdout);
    }
}

Settings arguments(int count, char** values) {
    Settings s;
    for (int i = 1; i < count; i++) {
        std::string name = values[i];
        if (name == "--processor") {
            Clock::processor = true;
            continue;
        }
        if (name.rfind("--", 0) != 0) {
            s.path = name;
            continue;
        }
        if (name == "--save" || name == "--mesh") {
            if (i + 1 == count) throw Usage(name + " needs a file");
            (name == "--save" ? s.saveCache : s.saveMesh) = values[++i];
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
        else if (name == "--tile") s.tile = static_cast<int>(value);
        else if (name == "--obstacles") s.obstacles = static_cast<int>(value);
        else throw Usage("no option " + name);
    }
    if (s.path.empty()) throw Usage("no level given");
    if (s.saveCache.empty() != s.saveMesh.empty()) throw Usage("--save and --mesh go together");
    if (s.tile < 4 || s.tile > 200) throw Usage("--tile must be 4 to 200");
    if (s.obstacles < 1 || s.obstacles > 65535) throw Usage("--obstacles must be 1 to 65535");
    return s;
}

} // namespace

int main(int count, char** values) {
    try {
        Settings s = arguments(count, values);
        World world(readLevel(s.path), s);
        std::fflush(stdout);
        if (s.saveCache.empty()) obey(world, std::cin);
        else world.save();
        return 0;
    } catch (const Usage& e) {
        std::fprintf(stderr, "tilecache: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "tilecache: %s\n", e.what());
        return 1;
    }
}
