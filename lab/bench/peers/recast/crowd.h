// The protocol of the crowd programs: a cast of agents comes in as text, and the places of all agents go out, step by step.
//
// In: a line "agents N steps S dt D arrive A", then a line for each agent: radius, height, speed, acceleration, the step of its
// entry, what it does at its last goal (0 stands, 1 leaves, 2 begins anew), its start, the number of its goals, and the goals.
// Lengths are metres, times seconds, places three numbers with the second up.
//
// Out: a line of JSON, then for every step the processor time of the system's own step in microseconds, a double, and for every
// agent three floats and a word of 32 bits: the number of goals reached, and the state in the upper eight bits.

#ifndef MEADOW_PEERS_CROWD_H
#define MEADOW_PEERS_CROWD_H

#include "common.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

namespace crowds {

enum State : uint32_t { Absent, Walking, Waiting, Done, GivenUp };
enum Then { Stay, Leave, Again };

struct Vec {
    float x = 0, y = 0, z = 0;
};

struct Actor {
    float radius = 0, height = 0, speed = 0, acceleration = 0;
    int enter = 0, then = Stay;
    Vec start;
    std::vector<Vec> goals;

    // What it does now.
    State state = Absent;
    uint32_t reached = 0;
    bool gone = false;
    Vec at;

    const Vec& goal() const { return goals[reached % goals.size()]; }
};

struct Cast {
    int steps = 0;
    float dt = 0, arrive = 0;
    std::vector<Actor> actors;
};

inline void need(bool ok, const char* what, size_t agent) {
    if (!ok) throw Fault(format("agent %zu: no %s", agent, what));
}

inline Cast read(std::istream& in) {
    Cast c;
    size_t count = 0;
    std::string words[4];
    in >> words[0] >> count >> words[1] >> c.steps >> words[2] >> c.dt >> words[3] >> c.arrive;
    if (!in || words[0] != "agents" || words[1] != "steps" || words[2] != "dt" || words[3] != "arrive" || count > 1000000)
        throw Fault("the first line is not agents N steps S dt D arrive A");
    for (size_t i = 0; i < count; i++) {
        Actor a;
        size_t goals = 0;
        in >> a.radius >> a.height >> a.speed >> a.acceleration >> a.enter >> a.then >> a.start.x >> a.start.y >> a.start.z >> goals;
        need(in && goals >= 1 && goals <= 1000, "agent with goals", i);
        for (size_t k = 0; k < goals; k++) {
            Vec g;
            in >> g.x >> g.y >> g.z;
            need(bool(in), "goal", i);
            a.goals.push_back(g);
        }
        a.at = a.start;
        c.actors.push_back(a);
    }
    return c;
}

inline float across(const Vec& a, const Vec& b) { return std::hypot(a.x - b.x, a.z - b.z); }

// isFree tells whether an agent can enter: no other is at its start. Agents of the first step do not look.
inline bool isFree(const Cast& c, const Actor& a) {
    if (a.enter == 0) return true;
    for (const Actor& b : c.actors)
        if (b.state != Absent && across(a.start, b.at) < a.radius + b.radius && std::fabs(a.start.y - b.at.y) < std::min(a.height, b.height))
            return false;
    return true;
}

// write sends a step.
inline void write(const Cast& c, double us) {
    std::fwrite(&us, sizeof us, 1, stdout);
    for (const Actor& a : c.actors) {
        uint32_t word = a.reached | uint32_t(a.state) << 24;
        std::fwrite(&a.at, sizeof(float), 3, stdout);
        std::fwrite(&word, sizeof word, 1, stdout);
    }
}

// play runs a system over all steps. The system has enter(i), aim(i), halt(i), leave(i), step(dt), and look(i), which sets place
// and state.
template <class System>
void play(Cast& c, System& system) {
    Clock::processor = true;
    for (int step = 0; step < c.steps; step++) {
        for (size_t i = 0; i < c.actors.size(); i++) {
            Actor& a = c.actors[i];
            if (a.state != Absent || a.gone || a.enter > step || !isFree(c, a)) continue;
            system.enter(i);
            a.state = Walking;
            system.aim(i);
        }
        Clock clock;
        system.step(c.dt);
        double us = 1e3 * clock.lap();
        for (size_t i = 0; i < c.actors.size(); i++) {
            Actor& a = c.actors[i];
            if (a.state == Absent) continue;
            system.look(i);
            if (a.state == Done || system.distance(i) > c.arrive) continue;
            a.reached++;
            if (a.then == Again || a.reached < a.goals.size()) {
                system.aim(i);
            } else if (a.then == Stay) {
                a.state = Done;
                system.halt(i);
            } else {
                a.state = Absent;
                a.gone = true;
                system.leave(i);
            }
        }
        write(c, us);
    }
    std::fflush(stdout);
}

} // namespace crowds

#endif
