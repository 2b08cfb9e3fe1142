import { buildSchema } from 'graphql'
import t from 'tap'
import { readFacts, typeNameOf } from '../../bench/lib/beside/facts.ts'

const TABLES = ['album', 'playlist', 'playlist_track', 'track']
const NONE = { rowsByKey: 0, lists: 0, toOne: 0, toMany: 0, manyToMany: 0, textOperators: 0, sortKeys: 0 }
const OFF = { relationFilters: false, totalCounts: false, cursors: false, aggregates: false, node: false }

t.test('a name of a table becomes that of its type', async (t) => {
  t.equal(typeNameOf('invoice_line'), 'InvoiceLine')
})

t.test('a schema in the manner of svc', async (t) => {
  const schema = buildSchema(`
    type Query {
      albums(where: AlbumWhereInput, orderBy: [AlbumOrderByInput!], limit: Int): AlbumList!
      album(id: ID!): Album
      tracks(where: TrackWhereInput): [Track!]!
    }
    type AlbumList { items: [Album!]!, totalCount: Int! }
    type Album { id: ID!, title: String!, tracks: [Track!]! }
    type Track { id: ID!, album: Album, playlists: [Playlist!]! }
    type Playlist { id: ID!, tracks: [Track!]!, playlistTracks: [PlaylistTrack!]! }
    type PlaylistTrack { playlist: Playlist!, track: Track! }
    input AlbumWhereInput { title: StringFilter, tracks: TrackWhereInput, _and: [AlbumWhereInput!] }
    input TrackWhereInput { album: AlbumWhereInput }
    input StringFilter { _eq: String, _like: String }
    input AlbumOrderByInput { id: Direction, title: Direction }
    enum Direction { ASC DESC }
    type Mutation { createAlbum: Album, deleteAlbum: Album }
    type Subscription { albumChanged: Album }`)
  t.strictSame(readFacts(schema, TABLES, ['playlist_track']), {
    ...OFF,
    tables: 4,
    rowsByKey: 1,
    lists: 2,
    toOne: 3,
    toMany: 4,
    manyToMany: 2,
    textOperators: 2,
    relationFilters: true,
    sortKeys: 2,
    totalCounts: true,
    mutations: 2,
    subscriptions: 1,
  })
})

t.test('a schema in the manner of PostGraphile', async (t) => {
  const schema = buildSchema(`
    type Query {
      node(id: ID!): Node
      allAlbums(condition: AlbumCondition, orderBy: [AlbumsOrderBy!], after: String): AlbumsConnection
      albumByAlbumId(albumId: Int!): Album
      album(id: ID!): Album
    }
    interface Node { id: ID! }
    type AlbumsConnection { nodes: [Album]!, totalCount: Int!, aggregates: Int }
    type Album implements Node { id: ID!, title: String }
    input AlbumCondition { albumId: Int, title: String }
    enum AlbumsOrderBy { NATURAL ALBUM_ID_ASC ALBUM_ID_DESC }`)
  t.strictSame(readFacts(schema, TABLES, ['playlist_track']), {
    ...NONE,
    ...OFF,
    tables: 1,
    rowsByKey: 2,
    lists: 1,
    sortKeys: 1,
    totalCounts: true,
    cursors: true,
    aggregates: true,
    node: true,
    mutations: 0,
    subscriptions: 0,
  })
})
