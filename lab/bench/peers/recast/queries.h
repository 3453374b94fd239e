// Queries on a Detour mesh, timed one by one: the other half of queries.go.

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
    double micros = 0, length = 0; // horizontal
    std::vector<float> corners;    // of the straight path
};

// Every call is made this often in a row, and the time divided: a clock costs as much as the fastest.
const int repeats = 8;

// timed returns the time of a call in microseconds.
template <class Call>
double timed(Call call) {
    auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repeats; i++) call();
    auto end = std::chrono::steady_clock::now();
    return std::chrono::duration<double, std::micro>(end - begin).count() / repeats;
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

// run asks everything and prints it as fields of a JSON object. The reach of raycasts is the goal of each
// pair, movers go two metres towards it, walls are looked for within ten. Rays and moves are timed as they are, and
// with the height of the floor where they end, which is another call.
inline void run(const dtNavMesh& mesh, const std::string& path) {
    std::vector<Pair> pairs = read(path);
    struct Free {
        void operator()(dtNavMeshQuery* q) const { dtFreeNavMeshQuery(q); }
    };
    std::unique_ptr<dtNavMeshQuery, Free> q(dtAllocNavMeshQuery());
    if (!q || dtStatusFailed(q->init(&mesh, 65535))) throw std::runtime_error("dtNavMeshQuery::init failed");
    dtQueryFilter filter;
    const float extents[3] = {2, 4, 2};
    const int most = 4096;
    std::vector<dtPolyRef> polys(most), corners(most);
    std::vector<unsigned char> flags(most);
    std::vector<float> points(3 * most);
    std::vector<double> nearest, ray, rayFloor, move, moveFloor, wall, draw;
    for (Pair& p : pairs) {
        nearest.push_back(timed([&] { q->findNearestPoly(p.start, extents, &filter, &p.from, p.fromPoint); }));
        q->findNearestPoly(p.goal, extents, &filter, &p.to, p.toPoint);
        if (p.from == 0 || p.to == 0) continue;
        int count = 0, straight = 0;
        p.micros = timed([&] {
            q->findPath(p.from, p.to, p.fromPoint, p.toPoint, &filter, polys.data(), &count, most);
            q->findStraightPath(p.fromPoint, p.toPoint, polys.data(), count, points.data(), flags.data(), corners.data(), &straight, most);
        });
        p.found = count > 0 && polys[count - 1] == p.to;
        p.corners.assign(points.begin(), points.begin() + 3 * straight);
        for (int i = 1; i < straight; i++)
            p.length += std::hypot(double(points[3 * i]) - points[3 * i - 3], double(points[3 * i + 2]) - points[3 * i - 1]);

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
    std::printf(",\"queries\":{\"pairs\":[");
    const char* separator = "";
    for (const Pair& p : pairs) {
        std::printf("%s{\"found\":%s,\"us\":%.4f,\"m\":%.6f,\"start\":[%.6f,%.6f,%.6f],\"goal\":[%.6f,%.6f,%.6f],\"corners\":[", separator, p.found ? "true" : "false", p.micros,
                    p.length, p.fromPoint[0], p.fromPoint[1], p.fromPoint[2], p.toPoint[0], p.toPoint[1], p.toPoint[2]);
        for (size_t i = 0; i < p.corners.size(); i++) std::printf(i ? ",%.6f" : "%.6f", p.corners[i]);
        std::printf("]}");
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
