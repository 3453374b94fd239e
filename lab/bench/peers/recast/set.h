// Sets of tiles in files, as RecastDemo saves them.

#ifndef MEADOW_PEERS_SET_H
#define MEADOW_PEERS_SET_H

#include "common.h"

#include <DetourNavMesh.h>

#include <fstream>
#include <string>

const int setMagic = 'M' << 24 | 'S' << 16 | 'E' << 8 | 'T';
const int setVersion = 1;

struct SetHeader {
    int magic, version, tiles;
    dtNavMeshParams params;
};

struct TileHeader {
    dtTileRef ref;
    int size;
};

// saveSet writes all tiles of a mesh.
inline void saveSet(const dtNavMesh& mesh, const std::string& path) {
    std::ofstream out(path, std::ios::binary);
    SetHeader header{setMagic, setVersion, 0, *mesh.getParams()};
    for (int i = 0; i < mesh.getMaxTiles(); i++)
        if (mesh.getTile(i)->header != nullptr) header.tiles++;
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    for (int i = 0; i < mesh.getMaxTiles(); i++) {
        const dtMeshTile* t = mesh.getTile(i);
        if (t->header == nullptr) continue;
        TileHeader head{mesh.getTileRef(t), t->dataSize};
        out.write(reinterpret_cast<const char*>(&head), sizeof head);
        out.write(reinterpret_cast<const char*>(t->data), t->dataSize);
    }
    out.close();
    if (!out) throw Fault("cannot write " + path);
}

#endif
