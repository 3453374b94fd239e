// The parts that the programs of this folder share: levels, clocks, faults and owners of Recast's memory.

#ifndef MEADOW_PEERS_COMMON_H
#define MEADOW_PEERS_COMMON_H

#include <DetourNavMesh.h>
#include <Recast.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

// Fault ends the program with one line.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Usage is a fault of whoever called.
struct Usage : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline std::string format(const char* pattern, ...) {
    char text[512];
    va_list args;
    va_start(args, pattern);
    std::vsnprintf(text, sizeof text, pattern, args);
    va_end(args);
    return text;
}

inline void check(bool ok, const char* what) {
    if (!ok) throw Fault(format("%s failed", what));
}

// Level is triangles as Recast takes them: three floats a vertex, three indices a triangle.
struct Level {
    std::vector<float> vertices;
    std::vector<int> triangles;

    int vertexCount() const { return static_cast<int>(vertices.size() / 3); }
    int triangleCount() const { return static_cast<int>(triangles.size() / 3); }
};

// readLevel reads the vertices and faces of an OBJ file; polygons become fans.
inline Level readLevel(const std::string& path) {
    std::ifstream in(path);
    if (!in) throw Fault("cannot open " + path);
    Level level;
    std::string line;
    std::vector<int> face;
    for (int number = 1; std::getline(in, line); number++) {
        const char* at = line.c_str();
        if (std::strncmp(at, "v ", 2) == 0) {
            char* end = nullptr;
            at += 2;
            for (int i = 0; i < 3; i++, at = end) {
                level.vertices.push_back(std::strtof(at, &end));
                if (end == at) throw Fault(format("%s:%d: no number", path.c_str(), number));
            }
        } else if (std::strncmp(at, "f ", 2) == 0) {
            face.clear();
            at += 2;
            for (char* end = nullptr;; at = end) {
                long index = std::strtol(at, &end, 10);
                if (end == at) break;
                index += index < 0 ? level.vertexCount() : -1;
                if (index < 0 || index >= level.vertexCount())
                    throw Fault(format("%s:%d: no such vertex", path.c_str(), number));
                face.push_back(static_cast<int>(index));
                while (*end != '\0' && *end != ' ' && *end != '\t') end++; // texture and normal
            }
            for (size_t i = 2; i < face.size(); i++)
                level.triangles.insert(level.triangles.end(), {face[0], face[i - 1], face[i]});
        }
    }
    if (level.triangles.empty()) throw Fault(path + " has no triangles");
    return level;
}

// Clock measures from its making or the last lap: time on the wall, or the processor time of the program.
class Clock {
    static double now() {
        timespec t;
        clock_gettime(processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
        return 1e3 * double(t.tv_sec) + 1e-6 * double(t.tv_nsec);
    }
    double last = now();

public:
    static inline bool processor = false;

    // lap is in milliseconds.
    double lap() {
        double ms = now() - last;
        last += ms;
        return ms;
    }
};

// Owned frees what Recast allocated with its own function.
template <class T, void (*Free)(T*)>
struct Freer {
    void operator()(T* p) const { Free(p); }
};
template <class T, void (*Free)(T*)>
using Owned = std::unique_ptr<T, Freer<T, Free>>;

using Heightfield = Owned<rcHeightfield, rcFreeHeightField>;
using CompactHeightfield = Owned<rcCompactHeightfield, rcFreeCompactHeightfield>;
using NavMesh = Owned<dtNavMesh, dtFreeNavMesh>;

#endif
