// Tile caches in files, as RecastDemo saves them, and a compressor that writes blocks of FastLZ, level 1.

#ifndef MEADOW_PEERS_CACHESET_H
#define MEADOW_PEERS_CACHESET_H

#include "common.h"

#include <DetourNavMesh.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

// FastLZ finds matches by the last place of each three bytes.
struct FastLZ : dtTileCacheCompressor {
    static const int farthest = 8192, longest = 264;

    int maxCompressedSize(const int size) override { return size + size / 16 + 66; }

    dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int, int* written) override {
        std::vector<int> last(1 << 13, -1);
        unsigned char* out = to;
        int literals = 0;
        auto flush = [&](int end) {
            while (literals > 0) {
                int n = std::min(literals, 32);
                *out++ = static_cast<unsigned char>(n - 1);
                std::memcpy(out, from + end - literals, static_cast<size_t>(n));
                out += n;
                literals -= n;
            }
        };
        for (int at = 0; at < size;) {
            int length = 0, distance = 0;
            if (at + 3 <= size) {
                int& place = last[(from[at] | from[at + 1] << 5 | from[at + 2] << 9) & 0x1fff];
                distance = at - place;
                // A block begins with literals: the first bits name the level.
                if (place >= 0 && distance <= farthest)
                    while (at + length < size && length < longest && from[at + length] == from[at + length - distance]) length++;
                place = at;
            }
            if (length < 3) {
                literals++, at++;
                continue;
            }
            flush(at);
            int coded = length - 2, back = distance - 1;
            *out++ = static_cast<unsigned char>(std::min(coded, 7) << 5 | back >> 8);
            if (coded >= 7) *out++ = static_cast<unsigned char>(coded - 7);
            *out++ = static_cast<unsigned char>(back & 255);
            at += length;
        }
        flush(size);
        *written = static_cast<int>(out - to);
        return DT_SUCCESS;
    }

    dtStatus decompress(const unsigned char* from, const int size, unsigned char* to, const int most, int* written) override {
        const unsigned char *in = from, *end = from + size;
        int at = 0;
        while (in < end) {
            int control = *in++;
            if (control < 32) {
                if (end - in <= control || at + control >= most) return DT_FAILURE;
                std::memcpy(to + at, in, static_cast<size_t>(control) + 1);
                in += control + 1, at += control + 1;
                continue;
            }
            int length = (control >> 5) + 2;
            if (length == 9 && in < end) length += *in++;
            if (in == end) return DT_FAILURE;
            int distance = (control & 31) << 8 | *in++;
            if (distance >= at || at + length > most) return DT_FAILURE;
            for (; length > 0; length--, at++) to[at] = to[at - distance - 1];
        }
        *written = at;
        return DT_SUCCESS;
    }
};

struct CacheSetHeader {
    int magic, version, tiles;
    dtNavMeshParams mesh;
    dtTileCacheParams cache;
};

struct CacheTileHeader {
    dtCompressedTileRef ref;
    int size;
};

// saveCache writes all layers of a tile cache.
inline void saveCache(const dtTileCache& cache, const dtNavMesh& mesh, const std::string& path) {
    std::ofstream out(path, std::ios::binary);
    CacheSetHeader header{'T' << 24 | 'S' << 16 | 'E' << 8 | 'T', 1, 0, *mesh.getParams(), *cache.getParams()};
    for (int i = 0; i < cache.getTileCount(); i++)
        if (cache.getTile(i)->header != nullptr) header.tiles++;
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    for (int i = 0; i < cache.getTileCount(); i++) {
        const dtCompressedTile* t = cache.getTile(i);
        if (t->header == nullptr) continue;
        CacheTileHeader head{cache.getTileRef(t), t->dataSize};
        out.write(reinterpret_cast<const char*>(&head), sizeof head);
        out.write(reinterpret_cast<const char*>(t->data), t->dataSize);
    }
    out.close();
    if (!out) throw Fault("cannot write " + path);
}

#endif
