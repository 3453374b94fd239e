// Queries on a Detour mesh: paths in single calls, for lab/bench/paths, and queries besides paths, for queries.go.

#ifndef MEADOW_PEERS_QUERIES_H
#define MEADOW_PEERS_QUERIES_H

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace queries {

// Pair is where a path shall lead, and what came of it. Points are x, y, z.
struct Pair {
    float start[3], goal[3];
    dtPolyRef from = 0, to = 0;
    float fromPoint[3] = {}, toPoint[3] = {};
    bool found = false;
    // Times in microseconds, one a round: of the path between known polygons, of the path with the search for both
    // polygons, and of the path between known polygons with cold caches.
    std::vector<double> between, whole, cold;
    double length = 0;          // horizontal
    std::vector<float> corners; // of the straight path
};

// Every call is made this often in a row, and the time divided: a clock costs as much as the fastest.
const int repeats = 8;

// timed returns the mean time of some calls in microseconds.
template <class Call>
double timed(Call call, int times = repeats) {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < times; i++) call();
    auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(end - begin).count() / times;
}

inline std::vector<Pair> read(const std::string& path) {
    std::ifstream in(path);
    std::vector<Pair> pairs;
    for (Pair p; in >> p.start[0] >> p.start[1] >> p.start[2] >> p.goal[0] >> p.goal[1] >> p.goal[2];) pairs.push_back(p);
    if (pairs.empty()) throw std::runtime_error(path + " has no pairs");
    return pairs;
}

// random is a small generator for findRandomPoint.
inline unsigned randomState = 1;
inline float random() {
    randomState = randomState * 1664525u + 1013904223u;
    return static_cast<float>(randomState >> 8) / static_cast<float>(1 << 24);
}

inline void print(const char* name, std::vector<double> us) {
    if (us.empty()) us.push_back(0);
    std::sort(us.begin(), us.end());
    double sum = 0;
    for (double t : us) sum += t;
    size_t n = us.size();
    std::printf(",\"%s\":{\"p50\":%.4f,\"mean\":%.4f,\"p99\":%.4f}", name, us[n / 2], sum / double(n), us[std::min(n - 1, n * 99 / 100)]);
}

// Asker owns a query object with its buffers.
struct Asker {
    struct Free {
        void operator()(dtNavMeshQuery* q) const { dtFreeNavMeshQuery(q); }
    };
    static const int most = 4096;
    std::unique_ptr<dtNavMeshQuery, Free> q{dtAllocNavMeshQuery()};
    dtQueryFilter filter;
    std::vector<dtPolyRef> polys = std::vector<dtPolyRef>(most), corners = std::vector<dtPolyRef>(most);
    std::vector<unsigned char> flags = std::vector<unsigned char>(most);
    std::vector<float> points = std::vector<float>(3 * most);
    int count = 0, straight = 0;

    explicit Asker(const dtNavMesh& mesh) {
        if (!q || dtStatusFailed(q->init(&mesh, 65535))) throw std::runtime_error("dtNavMeshQuery::init failed");
    }
    void nearest(const float* at, dtPolyRef* ref, float* point) {
        const float extents[3] = {2, 4, 2};
        q->findNearestPoly(at, extents, &filter, ref, point);
    }
    void ends(Pair& p) {
        nearest(p.start, &p.from, p.fromPoint);
        nearest(p.goal, &p.to, p.toPoint);
    }
    void path(const Pair& p) {
        q->findPath(p.from, p.to, p.fromPoint, p.toPoint, &filter, polys.data(), &count, most);
        q->findStraightPath(p.fromPoint, p.toPoint, polys.data(), count, points.data(), flags.data(), corners.data(), &straight, most);
    }
};

// evict drives everything else out of the caches.
inline void evict() {
    static std::vector<unsigned char> memory(64 << 20);
    static volatile unsigned sum;
    for (size_t i = 0; i < memory.size(); i += 64) sum = sum + ++memory[i];
}

inline void list(const char* name, const std::vector<double>& values) {
    std::printf(",\"%s\":[", name);
    for (size_t i = 0; i < values.size(); i++) std::printf(i ? ",%.4f" : "%.4f", values[i]);
    std::printf("]");
}

// paths asks for all paths of a file and prints the paths as a field of a JSON object. Pair follows pair in each round, so that no
// call finds what the call before has left for the same pair.
inline void paths(const dtNavMesh& mesh, const std::string& path, int rounds, int cold) {
    std::vector<Pair> pairs = read(path);
    Asker ask(mesh);
    for (int round = 0; round < rounds; round++) {
        for (Pair& p : pairs) {
            p.whole.push_back(timed([&] { ask.ends(p), ask.path(p); }, 1));
            if (round > 0) continue;
            p.found = p.from != 0 && p.to != 0 && ask.count > 0 && ask.polys[ask.count - 1] == p.to;
            p.corners.assign(ask.points.begin(), ask.points.begin() + 3 * (p.found ? ask.straight : 0));
            for (size_t i = 3; i < p.corners.size(); i += 3)
                p.length += std::hypot(double(p.corners[i]) - p.corners[i - 3], double(p.corners[i + 2]) - p.corners[i - 1]);
        }
        for (Pair& p : pairs)
            if (p.found) p.between.push_back(timed([&] { ask.path(p); }, 1));
        for (size_t i = 0; i < pairs.size() && i < static_cast<size_t>(cold); i++) {
            evict();
            if (pairs[i].found) pairs[i].cold.push_back(timed([&] { ask.path(pairs[i]); }, 1));
        }
    }
    std::printf(",\"pairs\":[");
    const char* separator = "";
    for (const Pair& p : pairs) {
        std::printf("%s{\"found\":%s,\"m\":%.6f,\"start\":[%.6f,%.6f,%.6f],\"goal\":[%.6f,%.6f,%.6f]", separator, p.found ? "true" : "false", p.length,
                    p.fromPoint[0], p.fromPoint[1], p.fromPoint[2], p.toPoint[0], p.toPoint[1], p.toPoint[2]);
        list("between", p.between);
        list("whole", p.whole);
        list("cold", p.cold);
        list("corners", std::vector<double>(p.corners.begin(), p.corners.end()));
        std::printf("}");
        separator = ",";
    }
    std::printf("]");
}

// run asks everything besides paths and prints it as fields of a JSON object. The reach of raycasts is the goal of each
// pair, movers go two metres towards it, walls are looked for within ten. Rays and moves are timed as they are, and
// with the height of the floor where they end, which is another call.
inline void run(const dtNavMesh& mesh, const std::string& path) {
    std::vector<Pair> pairs = read(path);
    Asker ask(mesh);
    dtNavMeshQuery* q = ask.q.get();
    const dtQueryFilter& filter = ask.filter;
    std::vector<dtPolyRef>& polys = ask.polys;
    const int most = Asker::most;
    std::vector<double> nearest, ray, rayFloor, move, moveFloor, wall, draw;
    for (Pair& p : pairs) {
        nearest.push_back(timed([&] { ask.nearest(p.start, &p.from, p.fromPoint); }));
        ask.nearest(p.goal, &p.to, p.toPoint);
        if (p.from == 0 || p.to == 0) continue;
        float t = 0, normal[3], end[3], distance = 0;
        int visited = 0;
        ray.push_back(timed([&] { q->raycast(p.from, p.fromPoint, p.toPoint, &filter, &t, normal, polys.data(), &visited, most); }));
        rayFloor.push_back(timed([&] {
            q->raycast(p.from, p.fromPoint, p.toPoint, &filter, &t, normal, polys.data(), &visited, most);
            dtVlerp(end, p.fromPoint, p.toPoint, std::min(t, 1.0f));
            q->getPolyHeight(polys[visited - 1], end, &end[1]);
        }));
        float target[3], dx = p.goal[0] - p.start[0], dz = p.goal[2] - p.start[2];
        float far = std::max(std::sqrt(dx * dx + dz * dz), 1e-6f);
        target[0] = p.fromPoint[0] + 2 * dx / far, target[1] = p.fromPoint[1], target[2] = p.fromPoint[2] + 2 * dz / far;
        move.push_back(timed([&] { q->moveAlongSurface(p.from, p.fromPoint, target, &filter, end, polys.data(), &visited, 16); }));
        moveFloor.push_back(timed([&] {
            q->moveAlongSurface(p.from, p.fromPoint, target, &filter, end, polys.data(), &visited, 16);
            q->getPolyHeight(polys[visited - 1], end, &end[1]);
        }));
        wall.push_back(timed([&] { q->findDistanceToWall(p.from, p.fromPoint, 10, &filter, &distance, end, normal); }));
        draw.push_back(timed([&] {
            dtPolyRef ref;
            q->findRandomPoint(&filter, random, &ref, end);
        }));
    }
    std::printf(",\"queries\":{\"ends\":[");
    const char* separator = "";
    for (const Pair& p : pairs) {
        std::printf("%s{\"found\":%s,\"start\":[%.6f,%.6f,%.6f],\"goal\":[%.6f,%.6f,%.6f]}", separator, p.from != 0 && p.to != 0 ? "true" : "false",
                    p.fromPoint[0], p.fromPoint[1], p.fromPoint[2], p.toPoint[0], p.toPoint[1], p.toPoint[2]);
        separator = ",";
    }
    std::printf("]");
    print("nearest", nearest);
    print("raycast", ray);
    print("raycast_floor", rayFloor);
    print("move", move);
    print("move_floor", moveFloor);
    print("wall", wall);
    print("random", draw);
    std::printf("}");
}

} // namespace queries

#endif
