// crowd moves a cast of agents with dtCrowd of Detour over the mesh of an OBJ level, see crowd.h.
//
//   crowd [--radius m] [--height m] [--climb m] [--slope deg] [--cell m] LEVEL.obj < CAST
//
// The mesh is one tile with the settings of RecastDemo. The agents have the settings of RecastDemo's crowd tool: query range 12
// radii, path range 30 radii, all flags but separation, avoidance of high quality. Starts and goals move to the nearest place on
// the mesh. Exit status: 0 done, 1 the level or the cast is of no use (one line on stderr says why), 2 bad usage.

#include "build.h"
#include "common.h"
#include "crowd.h"

#include <DetourCrowd.h>
#include <DetourNavMeshQuery.h>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using Crowd = Owned<dtCrowd, dtFreeCrowd>;
using Query = Owned<dtNavMeshQuery, dtFreeNavMeshQuery>;

// Detour is the system that crowds::play moves.
class Detour {
    crowds::Cast& cast;
    Crowd crowd;
    Query query;
    dtQueryFilter filter;
    std::vector<int> ids;
    std::vector<crowds::Vec> targets;

    dtPolyRef nearest(const crowds::Vec& at, float* place) {
        dtPolyRef ref = 0;
        for (float reach : {1.0f, 4.0f, 16.0f}) {
            const float extents[3] = {reach, 2, reach};
            if (dtStatusSucceed(query->findNearestPoly(&at.x, extents, &filter, &ref, place)) && ref != 0) return ref;
        }
        return 0;
    }

public:
    Detour(const dtNavMesh& mesh, crowds::Cast& c) : cast(c), crowd(dtAllocCrowd()), query(dtAllocNavMeshQuery()) {
        float widest = 0.01f;
        for (const crowds::Actor& a : cast.actors) widest = std::max(widest, a.radius);
        check(crowd && crowd->init(std::max<int>(1, static_cast<int>(cast.actors.size())), widest, const_cast<dtNavMesh*>(&mesh)), "dtCrowd::init");
        check(query && dtStatusSucceed(query->init(&mesh, 2048)), "dtNavMeshQuery::init");
        dtObstacleAvoidanceParams high = *crowd->getObstacleAvoidanceParams(0);
        high.velBias = 0.5f;
        high.adaptiveDivs = 7;
        high.adaptiveRings = 3;
        high.adaptiveDepth = 3;
        crowd->setObstacleAvoidanceParams(3, &high);
        ids.assign(cast.actors.size(), -1);
        targets.resize(cast.actors.size());
    }

    void enter(size_t i) {
        crowds::Actor& a = cast.actors[i];
        float place[3];
        if (nearest(a.start, place) == 0) throw Fault(format("agent %zu: no mesh near its start", i));
        dtCrowdAgentParams p{};
        p.radius = a.radius;
        p.height = a.height;
        p.maxAcceleration = a.acceleration;
        p.maxSpeed = a.speed;
        p.collisionQueryRange = a.radius * 12;
        p.pathOptimizationRange = a.radius * 30;
        p.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO | DT_CROWD_OBSTACLE_AVOIDANCE;
        p.obstacleAvoidanceType = 3;
        p.separationWeight = 2;
        ids[i] = crowd->addAgent(place, &p);
        check(ids[i] >= 0, "dtCrowd::addAgent");
        a.at = {place[0], place[1], place[2]};
    }

    void aim(size_t i) {
        float place[3];
        dtPolyRef ref = nearest(cast.actors[i].goal(), place);
        if (ref == 0) throw Fault(format("agent %zu: no mesh near its goal", i));
        targets[i] = {place[0], place[1], place[2]};
        check(crowd->requestMoveTarget(ids[i], ref, place), "dtCrowd::requestMoveTarget");
    }

    void halt(size_t i) { crowd->resetMoveTarget(ids[i]); }
    void leave(size_t i) { crowd->removeAgent(ids[i]); }
    void step(float dt) { crowd->update(dt, nullptr); }
    float distance(size_t i) const { return crowds::across(cast.actors[i].at, targets[i]); }

    void look(size_t i) {
        crowds::Actor& a = cast.actors[i];
        const dtCrowdAgent* d = crowd->getAgent(ids[i]);
        a.at = {d->npos[0], d->npos[1], d->npos[2]};
        if (a.state == crowds::Done) return;
        a.state = crowds::Walking;
        if (d->targetState == DT_CROWDAGENT_TARGET_FAILED) a.state = crowds::GivenUp;
        else if (d->targetState != DT_CROWDAGENT_TARGET_VALID) a.state = crowds::Waiting;
    }
};

struct Options : Settings {
    std::string path;
};

Options arguments(int count, char** values) {
    Options s;
    for (int i = 1; i < count; i++) {
        std::string name = values[i];
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
        else throw Usage("no option " + name);
    }
    if (s.path.empty()) throw Usage("no level given");
    return s;
}

} // namespace

int main(int count, char** values) {
    try {
        Options s = arguments(count, values);
        Level level = readLevel(s.path);
        crowds::Cast cast = crowds::read(std::cin);
        Result r = build(level, configure(level, s), s);
        Detour detour(*r.mesh, cast);
        std::printf("{\"polys\":%d,\"build_ms\":%.3f}\n", r.polys->npolys, r.ms[Total]);
        crowds::play(cast, detour);
        return 0;
    } catch (const Usage& e) {
        std::fprintf(stderr, "crowd: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "crowd: %s\n", e.what());
        return 1;
    }
}
