// detour saves meshes as RecastDemo does, loads such files with Detour, and asks them for paths: the judge of navmesh/detour. The
// program uses nothing but the public headers of Recast and Detour.
//
//   detour save [--tile cells] [--links FILE] LEVEL.obj OUT   builds with RecastDemo's settings and saves a set; --links names a
//                                                             file of eight numbers a line: both ends, radius, 1 for both ways
//   detour data LEVEL.obj OUT                                 builds one tile and saves its data
//   detour places FILE COUNT                                  prints pairs of random places, 14 numbers a line: of each place x, y, z and
//                                                             tile (column, row, layer) and polygon
//   detour ask FILE PAIRS                                     prints of each pair: polygons of the corridor, 1 for a complete one, length
//                                                             of the straight path, and cost of the corridor by middles of edges
//   detour ground FILE PLACES                                 prints the height of the mesh at places, three numbers a line
//
// A file is a set or tile data. Exit status: 0 done, 1 a file cannot be read or Detour refuses the data (one line on stderr says why),
// 2 bad usage.

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>

#include "build.h"
#include "common.h"
#include "queries.h"
#include "set.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

// load reads a set or tile data as RecastDemo does. All bytes must belong to a tile.
NavMesh load(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    if (!in) throw Fault("cannot read " + path);
    const std::string bytes = all.str();
    size_t at = 0;
    auto take = [&](void* to, size_t n) {
        if (bytes.size() - at < n) throw Fault(path + " ends early");
        std::memcpy(to, bytes.data() + at, n);
        at += n;
    };
    auto tileOf = [&](size_t n) {
        auto* data = static_cast<unsigned char*>(dtAlloc(n, DT_ALLOC_PERM));
        take(data, n);
        return data;
    };
    NavMesh mesh(dtAllocNavMesh());
    int magic = 0;
    if (bytes.size() >= sizeof magic) std::memcpy(&magic, bytes.data(), sizeof magic);
    if (magic == DT_NAVMESH_MAGIC) {
        int size = static_cast<int>(bytes.size());
        check(dtStatusSucceed(mesh->init(tileOf(bytes.size()), size, DT_TILE_FREE_DATA)), "dtNavMesh::init");
        return mesh;
    }
    SetHeader header{};
    take(&header, sizeof header);
    if (header.magic != setMagic || header.version != setVersion) throw Fault(path + " is no set");
    check(dtStatusSucceed(mesh->init(&header.params)), "dtNavMesh::init");
    for (int i = 0; i < header.tiles; i++) {
        TileHeader head{};
        take(&head, sizeof head);
        check(head.ref != 0 && head.size > 0, "the header of a tile");
        check(dtStatusSucceed(mesh->addTile(tileOf(static_cast<size_t>(head.size)), head.size, DT_TILE_FREE_DATA, head.ref, nullptr)), "dtNavMesh::addTile");
    }
    if (at != bytes.size()) throw Fault(path + " goes on behind its last tile");
    return mesh;
}

// Connections are off-mesh connections as Detour takes them.
struct Connections {
    std::vector<float> ends, radii;
    std::vector<unsigned char> ways, areas;
    std::vector<unsigned short> flags;
    std::vector<unsigned> ids;
};

Connections readConnections(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw Fault("cannot open " + path);
    Connections c;
    for (float v[8]; in >> v[0] >> v[1] >> v[2] >> v[3] >> v[4] >> v[5] >> v[6] >> v[7];) {
        c.ends.insert(c.ends.end(), v, v + 6);
        c.radii.push_back(v[6]);
        c.ways.push_back(v[7] != 0 ? DT_OFFMESH_CON_BIDIR : 0);
        c.areas.push_back(5);
        c.flags.push_back(8);
        c.ids.push_back(1000 + static_cast<unsigned>(c.ids.size()));
    }
    return c;
}

// solo builds one tile with connections as a set.
NavMesh solo(const Level& level, const rcConfig& config, const Settings& s, Connections& links, unsigned char** keep, int* size) {
    fits(config);
    Result r = polygons(level, level.triangles, config);
    if (r.polys == nullptr || r.polys->npolys == 0) throw Fault("no polygons: nothing is walkable");
    // Flat ground far from others gets other areas and flags, as a game would mark water.
    for (int i = 0; i < r.polys->npolys; i++) {
        r.polys->areas[i] = i % 7 == 3 ? 1 : 0;
        r.polys->flags[i] = i % 7 == 3 ? 3 : 1;
    }
    dtNavMeshCreateParams p{};
    p.verts = r.polys->verts;
    p.vertCount = r.polys->nverts;
    p.polys = r.polys->polys;
    p.polyAreas = r.polys->areas;
    p.polyFlags = r.polys->flags;
    p.polyCount = r.polys->npolys;
    p.nvp = r.polys->nvp;
    p.detailMeshes = r.detail->meshes;
    p.detailVerts = r.detail->verts;
    p.detailVertsCount = r.detail->nverts;
    p.detailTris = r.detail->tris;
    p.detailTriCount = r.detail->ntris;
    p.offMeshConVerts = links.ends.data();
    p.offMeshConRad = links.radii.data();
    p.offMeshConFlags = links.flags.data();
    p.offMeshConAreas = links.areas.data();
    p.offMeshConDir = links.ways.data();
    p.offMeshConUserID = links.ids.data();
    p.offMeshConCount = static_cast<int>(links.radii.size());
    p.walkableHeight = s.height;
    p.walkableRadius = s.radius;
    p.walkableClimb = s.climb;
    std::copy(r.polys->bmin, r.polys->bmin + 3, p.bmin);
    std::copy(r.polys->bmax, r.polys->bmax + 3, p.bmax);
    p.cs = s.cell;
    p.ch = s.cellHeight;
    p.buildBvTree = true;
    unsigned char* data = nullptr;
    check(dtCreateNavMeshData(&p, &data, size), "dtCreateNavMeshData");
    if (keep != nullptr) {
        *keep = static_cast<unsigned char*>(dtAlloc(*size, DT_ALLOC_PERM));
        std::memcpy(*keep, data, static_cast<size_t>(*size));
    }
    NavMesh mesh(dtAllocNavMesh());
    check(dtStatusSucceed(mesh->init(data, *size, DT_TILE_FREE_DATA)), "dtNavMesh::init");
    return mesh;
}

int number(const std::string& text) {
    char* end = nullptr;
    long n = std::strtol(text.c_str(), &end, 10);
    if (end == text.c_str() || *end != '\0' || n < 1 || n > 1000000) throw Usage("a number from 1 to 1000000 is needed, not " + text);
    return static_cast<int>(n);
}

void places(const dtNavMesh& mesh, int count) {
    queries::Asker ask(mesh);
    for (int i = 0; i < count; i++) {
        float p[3];
        for (int end = 0; end < 2; end++) {
            dtPolyRef ref = 0;
            // Rounding may put a point beside its polygon, where Detour finds no height.
            bool found = false;
            for (int attempt = 0; attempt < 100 && !found; attempt++) found = dtStatusSucceed(ask.q->findRandomPoint(&ask.filter, queries::random, &ref, p));
            check(found, "findRandomPoint");
            const dtMeshTile* t = nullptr;
            const dtPoly* poly = nullptr;
            mesh.getTileAndPolyByRefUnsafe(ref, &t, &poly);
            std::printf("%.9g %.9g %.9g %d %d %d %d%c", p[0], p[1], p[2], t->header->x, t->header->y, t->header->layer, int(poly - t->polys), end == 0 ? ' ' : '\n');
        }
    }
}

// middle finds the middle of the border between two polygons, or the end of an off-mesh connection.
void middle(const dtMeshTile* t, const dtPoly* a, const dtMeshTile* u, const dtPoly* b, dtPolyRef aRef, dtPolyRef bRef, float* to) {
    bool reverse = b->getType() == DT_POLYTYPE_OFFMESH_CONNECTION;
    if (reverse) std::swap(t, u), std::swap(a, b), std::swap(aRef, bRef);
    for (unsigned k = a->firstLink; k != DT_NULL_LINK; k = t->links[k].next) {
        const dtLink& link = t->links[k];
        if (link.ref != bRef) continue;
        const float* v = &t->verts[a->verts[link.edge] * 3];
        if (a->getType() == DT_POLYTYPE_OFFMESH_CONNECTION) {
            dtVcopy(to, v);
            return;
        }
        const float* w = &t->verts[a->verts[(link.edge + 1) % a->vertCount] * 3];
        float low = 0, high = 1;
        if (link.side != 0xff) low = float(link.bmin) / 255.0f, high = float(link.bmax) / 255.0f;
        dtVlerp(to, v, w, (low + high) / 2);
        return;
    }
}

// corridorCost is the sum that findPath minimises: from the start over the middles of borders to the goal.
double corridorCost(queries::Asker& ask, const dtNavMesh& mesh, const queries::Pair& p) {
    double sum = 0;
    float at[3];
    dtVcopy(at, p.start);
    for (int i = 1; i < ask.count; i++) {
        const dtMeshTile *t = nullptr, *u = nullptr;
        const dtPoly *a = nullptr, *b = nullptr;
        mesh.getTileAndPolyByRefUnsafe(ask.polys[i - 1], &t, &a);
        mesh.getTileAndPolyByRefUnsafe(ask.polys[i], &u, &b);
        float next[3];
        dtVcopy(next, at);
        middle(t, a, u, b, ask.polys[i - 1], ask.polys[i], next);
        sum += dtVdist(at, next);
        dtVcopy(at, next);
    }
    return sum + dtVdist(at, p.goal);
}

// readEnd reads a place with its polygon. A place on a border lies on two polygons, so the polygon is named.
bool readEnd(std::istream& in, const dtNavMesh& mesh, float* at, dtPolyRef* ref) {
    int x, y, layer, poly;
    if (!(in >> at[0] >> at[1] >> at[2] >> x >> y >> layer >> poly)) return false;
    const dtMeshTile* t = mesh.getTileAt(x, y, layer);
    *ref = t != nullptr && poly < t->header->polyCount ? mesh.getPolyRefBase(t) | static_cast<dtPolyRef>(poly) : 0;
    return true;
}

void answer(const dtNavMesh& mesh, const std::string& file) {
    queries::Asker ask(mesh);
    std::ifstream in(file);
    for (queries::Pair p; readEnd(in, mesh, p.start, &p.from) && readEnd(in, mesh, p.goal, &p.to);) {
        ask.count = ask.straight = 0;
        bool whole = false;
        double length = 0, cost = 0;
        if (p.from != 0 && p.to != 0) {
            dtVcopy(p.fromPoint, p.start);
            dtVcopy(p.toPoint, p.goal);
            ask.path(p);
            whole = ask.count > 0 && ask.polys[ask.count - 1] == p.to;
            for (int i = 1; i < ask.straight; i++) length += dtVdist(&ask.points[3 * (i - 1)], &ask.points[3 * i]);
            cost = corridorCost(ask, mesh, p);
        }
        std::printf("%d %d %.9g %.9g\n", ask.count, whole ? 1 : 0, length, cost);
    }
}

void ground(const dtNavMesh& mesh, const std::string& file) {
    queries::Asker ask(mesh);
    std::ifstream in(file);
    for (float at[3]; in >> at[0] >> at[1] >> at[2];) {
        dtPolyRef ref = 0;
        float point[3], height = NAN;
        ask.nearest(at, &ref, point);
        if (ref != 0 && dtStatusFailed(ask.q->getPolyHeight(ref, point, &height))) height = NAN;
        std::printf("%.9g\n", height);
    }
}

void run(std::vector<std::string> args) {
    Settings s;
    std::string linkFile;
    std::vector<std::string> rest;
    for (size_t i = 0; i < args.size(); i++) {
        if (args[i].rfind("--", 0) != 0) {
            rest.push_back(args[i]);
            continue;
        }
        if (i + 1 == args.size()) throw Usage(args[i] + " needs a value");
        if (args[i] == "--tile") s.tile = number(args[++i]);
        else if (args[i] == "--links") linkFile = args[++i];
        else throw Usage("no option " + args[i]);
    }
    if (rest.size() != 3) throw Usage("save, data, places, ask or ground, and two more words");
    const std::string& verb = rest[0];
    if (verb == "save" || verb == "data") {
        Level level = readLevel(rest[1]);
        rcConfig config = configure(level, s);
        if (s.tile > 0 && verb == "save") {
            saveSet(*buildTiles(level, config, s).mesh, rest[2]);
            return;
        }
        Connections links;
        if (!linkFile.empty()) links = readConnections(linkFile);
        unsigned char* data = nullptr;
        int size = 0;
        NavMesh mesh = solo(level, config, s, links, &data, &size);
        if (verb == "save") saveSet(*mesh, rest[2]);
        else if (!std::ofstream(rest[2], std::ios::binary).write(reinterpret_cast<const char*>(data), size)) throw Fault("cannot write " + rest[2]);
        dtFree(data);
    } else if (verb == "places") {
        places(*load(rest[1]), number(rest[2]));
    } else if (verb == "ask") {
        answer(*load(rest[1]), rest[2]);
    } else if (verb == "ground") {
        ground(*load(rest[1]), rest[2]);
    } else {
        throw Usage("no verb " + verb);
    }
}

} // namespace

int main(int count, char** values) {
    try {
        run(std::vector<std::string>(values + 1, values + count));
        return 0;
    } catch (const Usage& e) {
        std::fprintf(stderr, "detour: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "detour: %s\n", e.what());
        return 1;
    }
}
