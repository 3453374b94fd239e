// rvo moves a cast of agents with RVO2 over the open plane, without walls and paths, see crowd.h.
//
//   rvo [--reach m] [--neighbours n] [--horizon s] < CAST
//
// The settings of all agents are the reach, number and time horizon for neighbours: by default 5 m, 10 and 3 s. Agents that are
// absent stand far away from all others. Exit status: 0 done, 1 the cast is of no use, 2 bad usage.

#include "crowd.h"

#include "RVO.h"

#include <algorithm>
#include <string>

namespace {

// Plane is the system that crowds::play moves.
class Plane {
    crowds::Cast& cast;
    RVO::RVOSimulator simulator;

    // away is the place of an absent agent.
    static RVO::Vector2 away(size_t i) { return {1e6f + 1e3f * static_cast<float>(i), 1e6f}; }

    // prefer makes the agent walk at its speed, and end at its goal.
    void prefer(size_t i) {
        const crowds::Actor& a = cast.actors[i];
        RVO::Vector2 way(0, 0);
        if (a.state == crowds::Walking) {
            way = {a.goal().x - a.at.x, a.goal().z - a.at.z};
            float length = RVO::abs(way);
            if (length > 0) way *= std::min(a.speed, length / cast.dt) / length;
        }
        simulator.setAgentPrefVelocity(i, way);
    }

public:
    Plane(crowds::Cast& c, float reach, size_t neighbours, float horizon) : cast(c) {
        simulator.setTimeStep(cast.dt);
        for (size_t i = 0; i < cast.actors.size(); i++) {
            const crowds::Actor& a = cast.actors[i];
            simulator.addAgent(away(i), reach, neighbours, horizon, horizon, a.radius, a.speed);
        }
    }

    void enter(size_t i) { simulator.setAgentPosition(i, {cast.actors[i].start.x, cast.actors[i].start.z}); }
    void aim(size_t) {}
    void halt(size_t) {}
    void leave(size_t i) {
        simulator.setAgentPosition(i, away(i));
        simulator.setAgentVelocity(i, {0, 0});
    }
    float distance(size_t i) const { return crowds::across(cast.actors[i].at, cast.actors[i].goal()); }

    void step(float) {
        for (size_t i = 0; i < cast.actors.size(); i++) prefer(i);
        simulator.doStep();
    }

    void look(size_t i) {
        const RVO::Vector2& p = simulator.getAgentPosition(i);
        cast.actors[i].at.x = p.x();
        cast.actors[i].at.z = p.y();
    }
};

} // namespace

int main(int count, char** values) {
    try {
        double reach = 5, neighbours = 10, horizon = 3;
        for (int i = 1; i < count; i += 2) {
            std::string name = values[i];
            char* end = nullptr;
            double value = i + 1 < count ? std::strtod(values[i + 1], &end) : 0;
            if (end == nullptr || *end != '\0' || !(value > 0)) throw Usage(name + " needs a number above 0");
            if (name == "--reach") reach = value;
            else if (name == "--neighbours") neighbours = value;
            else if (name == "--horizon") horizon = value;
            else throw Usage("no option " + name);
        }
        crowds::Cast cast = crowds::read(std::cin);
        Plane plane(cast, static_cast<float>(reach), static_cast<size_t>(neighbours), static_cast<float>(horizon));
        std::printf("{\"polys\":0,\"build_ms\":0}\n");
        crowds::play(cast, plane);
        return 0;
    } catch (const Usage& e) {
        std::fprintf(stderr, "rvo: %s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "rvo: %s\n", e.what());
        return 1;
    }
}
