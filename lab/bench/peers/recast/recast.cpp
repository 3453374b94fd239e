// recast builds the navigation mesh of one OBJ level with Recast and Detour, several times in one
// process, and prints one line of JSON: settings, time of every stage, and what came out. It is the
// other half of the benchmark in main.go and uses nothing but the public headers.
//
// A build is timed from the triangles in memory to a usable dtNavMesh: one tile or tiles of so many cells, watershed
// partitioning, all three filters, no off-mesh connections. Lengths are in metres.
//
//   recast [--radius m] [--height m] [--climb m] [--slope deg] [--cell m] [--cell-height m] [--tile cells]
//          [--runs n] [--slice ms] [--border] [--queries FILE] [-o FILE] LEVEL.obj
//   recast [settings] --paths FILE [--tile cells] [--rounds n] [--cold n] LEVEL.obj
//
// One build warms up and is not counted unless it takes longer than the slice of time; then there are up to n counted ones, at least
// one, and none is begun after the slice is over. --border adds the border of the largest component, --queries what
// becomes of queries besides paths at the pairs of places in a file of six numbers a line. Tiles come with neither of these, nor with
// stages and components. -o saves the mesh as RecastDemo does.
//
// --paths builds once, in one tile or in tiles of so many cells, and asks for the paths between the pairs of the file, each in
// a single call, n rounds after each other. The first so many pairs are also asked with cold caches.
// Exit status: 0 done, 1 the level cannot be built (one line on stderr says why), 2 bad usage.

#include <DetourNavMesh.h>
#include <Recast.h>

#include "build.h"
#include "common.h"
#include "queries.h"
#include "set.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

// Options are the settings of the mesh, and of the program.
struct Options : Settings {
    int runs = 1;
    double slice = 0; // milliseconds
    bool border = false;
    std::string queries, paths, out;
    int rounds = 1, cold = 0;
    std::string path;
};

// answerPaths prints the paths, and which mesh gave them.
void answerPaths(const Level& level, const rcConfig& config, const Options& s) {
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

void report(const Options& s, const Level& level, const Result& r, const std::vector<Times>& runs) {
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

// report prints what is known of a mesh in tiles.
void report(const Options& s, const Level& level, const dtNavMesh& mesh, const std::vector<double>& runs) {
    int bytes = 0, polys = 0;
    for (int i = 0; i < mesh.getMaxTiles(); i++) {
        const dtMeshTile* t = mesh.getTile(i);
        if (t->header == nullptr) continue;
        bytes += t->dataSize;
        polys += t->header->polyCount;
    }
    std::printf("{\"triangles\":%d,\"cell_m\":%g,\"cell_height_m\":%g,\"total_ms\":[", level.triangleCount(), s.cell, s.cellHeight);
    for (size_t i = 0; i < runs.size(); i++) std::printf("%s%.4f", i == 0 ? "" : ",", runs[i]);
    std::printf("],\"bytes\":%d,\"all\":{\"polys\":%d}}\n", bytes, polys);
}

// repeat builds again and again, and returns the last mesh. timesOf returns the milliseconds of a build and what to keep of them.
template <class Times, class Build, class TimesOf>
auto repeat(const Options& s, std::vector<Times>& runs, Build build, TimesOf timesOf) {
    auto result = build();
    auto [first, times] = timesOf(result);
    if (s.slice > 0 && first >= s.slice) {
        runs.push_back(times);
        return result;
    }
    double spent = 0;
    do {
        result = build();
        auto [ms, kept] = timesOf(result);
        runs.push_back(kept);
        spent += ms;
    } while (static_cast<int>(runs.size()) < s.runs && (s.slice == 0 || spent < s.slice));
    return result;
}

Options arguments(int count, char** values) {
    Options s;
    for (int i = 1; i < count; i++) {
        std::string name = values[i];
        if (name == "--border") {
            s.border = true;
            continue;
        }
        if (name == "--queries" || name == "--paths" || name == "-o") {
            if (i + 1 == count) throw Usage(name + " needs a file");
            (name == "--paths" ? s.paths : name == "-o" ? s.out : s.queries) = values[++i];
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
    if (s.tile > 0 && s.paths.empty() && (s.border || !s.queries.empty())) throw Usage("--border and --queries are for one tile");
    return s;
}

} // namespace

int main(int count, char** values) {
    try {
        Options s = arguments(count, values);
        Level level = readLevel(s.path);
        rcConfig config = configure(level, s);
        if (!s.paths.empty()) {
            answerPaths(level, config, s);
            return 0;
        }
        if (s.tile > 0) {
            std::vector<double> runs;
            Tiles result = repeat(s, runs, [&] { return buildTiles(level, config, s); }, [](const Tiles& t) { return std::pair(t.ms, t.ms); });
            report(s, level, *result.mesh, runs);
            if (!s.out.empty()) saveSet(*result.mesh, s.out);
            return 0;
        }
        std::vector<Times> runs;
        Result result = repeat(s, runs, [&] { return build(level, config, s); }, [](const Result& r) { return std::pair(r.ms[Total], r.ms); });
        report(s, level, result, runs);
        if (!s.out.empty()) saveSet(*result.mesh, s.out);
        return 0;
    } catch (const Usage& e) {
        std::fprintf(stderr, "recast: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "recast: %s\n", e.what());
        return 1;
    }
}
