import {
  Date,
  DateTime,
  Decimal,
  Email,
  enum_,
  field,
  ID,
  Int,
  input,
  interface_,
  list,
  mutation,
  nullable,
  query,
  String,
  type,
  union,
} from 'svc/authoring'

export const TrackLength = enum_('TrackLength', {
  SHORT: { value: 'short', description: 'Under three minutes' },
  REGULAR: { value: 'regular' },
  LONG: { value: 'long', description: 'Ten minutes and more' },
})

@type({ relay: true, sqlSource: 'v_artist' })
export class Artist {
  @field(ID) id!: string
  @field(nullable(String)) name!: string | null
  @field(() => list(Album)) albums!: Album[]
}

@type({ relay: true, sqlSource: 'v_album' })
export class Album {
  @field(ID) id!: string
  @field(String) title!: string
  @field(Artist) artist!: Artist
  @field(() => list(Track)) tracks!: Track[]
}

@type({ sqlSource: 'v_genre' })
export class Genre {
  @field(ID) id!: string
  @field(nullable(String)) name!: string | null
  @field(() => list(Track)) tracks!: Track[]
}

@type({ sqlSource: 'v_media_type' })
export class MediaType {
  @field(ID) id!: string
  @field(nullable(String)) name!: string | null
}

@type({ relay: true, sqlSource: 'v_track', aggregate: true })
export class Track {
  @field(ID) id!: string
  @field(String) name!: string
  @field(nullable(String), { description: 'As printed on the cover, so often several people' })
  composer!: string | null
  @field(Int) milliseconds!: number
  @field(nullable(Int)) bytes!: number | null
  @field(Decimal) unitPrice!: string
  @field(TrackLength) length!: string
  @field(nullable(Album)) album!: Album | null
  @field(nullable(Genre)) genre!: Genre | null
  @field(MediaType) mediaType!: MediaType
  @field(() => list(PlaylistTrack)) playlists!: PlaylistTrack[]
}

@type({ sqlSource: 'v_playlist' })
export class Playlist {
  @field(ID) id!: string
  @field(nullable(String)) name!: string | null
  @field(Int) trackCount!: number
  @field(() => list(PlaylistTrack)) tracks!: PlaylistTrack[]
}

@type({ sqlSource: 'v_playlist_track', description: 'A track in a playlist' })
export class PlaylistTrack {
  @field(ID) id!: string
  @field(Playlist) playlist!: Playlist
  @field(Track) track!: Track
}

@interface_({ sqlSource: 'v_person', description: 'Somebody with a name and an address' })
export class Person {
  @field(ID) id!: string
  @field(String) firstName!: string
  @field(String) lastName!: string
  @field(nullable(Email)) email!: string | null
  @field(nullable(String)) city!: string | null
  @field(nullable(String)) country!: string | null
}

@type({ sqlSource: 'v_employee', implements: [Person] })
export class Employee extends Person {
  @field(nullable(String)) title!: string | null
  @field(nullable(Date)) birthDate!: string | null
  @field(nullable(Date)) hireDate!: string | null
  @field(() => nullable(Employee)) reportsTo!: Employee | null
  @field(() => list(Employee), { relation: { from: 'pk_employee', to: 'fk_reports_to' } }) reports!: Employee[]
  @field(() => list(Customer), { relation: { from: 'pk_employee', to: 'fk_support_rep' } }) customers!: Customer[]
}

@type({
  sqlSource: 'v_customer',
  implements: [Person],
  aggregate: { groupBy: ['country', 'state'], countDistinct: ['country'] },
})
export class Customer extends Person {
  @field(nullable(String)) company!: string | null
  @field(nullable(String)) phone!: string | null
  @field(nullable(String)) state!: string | null
  @field(nullable(Employee)) supportRep!: Employee | null
  @field(() => list(Invoice)) invoices!: Invoice[]
}

@type({ sqlSource: 'v_invoice', aggregate: true })
export class Invoice {
  @field(ID) id!: string
  @field(DateTime) invoiceDate!: string
  @field(nullable(String)) billingCity!: string | null
  @field(nullable(String)) billingCountry!: string | null
  @field(Decimal) total!: string
  @field(Customer) customer!: Customer
  @field(() => list(InvoiceLine)) lines!: InvoiceLine[]
}

@type({ sqlSource: 'v_invoice_line', aggregate: true })
export class InvoiceLine {
  @field(ID) id!: string
  @field(Decimal) unitPrice!: string
  @field(Int) quantity!: number
  @field(Invoice) invoice!: Invoice
  @field(Track) track!: Track
}

@type({ embedded: true })
export class DocumentCustomer {
  @field(String) name!: string
  @field(nullable(String)) country!: string | null
}

@type({ embedded: true })
export class DocumentLine {
  @field(String) track!: string
  @field(nullable(String)) artist!: string | null
  @field(Decimal) unitPrice!: string
  @field(Int) quantity!: number
}

@type({ sqlSource: 'v_invoice_document', description: 'An invoice with everything on it, in one JSON document' })
export class InvoiceDocument {
  @field(ID) id!: string
  @field(DateTime) invoiceDate!: string
  @field(Decimal) total!: string
  @field(DocumentCustomer) customer!: DocumentCustomer
  @field(list(DocumentLine)) lines!: DocumentLine[]
}

export const BestSeller = union('BestSeller', [Artist, Album, Track], {
  sqlSource: 'v_best_seller',
  description: 'The five artists, albums and tracks that brought in most',
})

@input({ description: 'A new playlist' })
export class CreatePlaylist {
  @field(String) name!: string
  @field(nullable(list(Int)), { description: 'Tracks to start with' }) trackIds!: number[] | null
}

export class Api {
  @query(list(Artist), { sqlSource: 'v_artist' }) artists!: unknown
  @query(nullable(Artist), { sqlSource: 'v_artist', args: { id: ID } }) artist!: unknown
  @query(list(Album), { sqlSource: 'v_album' }) albums!: unknown
  @query(nullable(Album), { sqlSource: 'v_album', args: { id: ID } }) album!: unknown
  @query(list(Track), { sqlSource: 'v_track', relay: true }) tracks!: unknown
  @query(nullable(Track), { sqlSource: 'v_track', args: { id: ID } }) track!: unknown
  @query(list(Genre), { sqlSource: 'v_genre' }) genres!: unknown
  @query(list(MediaType), { sqlSource: 'v_media_type' }) mediaTypes!: unknown
  @query(list(Playlist), { sqlSource: 'v_playlist' }) playlists!: unknown
  @query(nullable(Playlist), { sqlSource: 'v_playlist', args: { id: ID } }) playlist!: unknown
  @query(list(Customer), { sqlSource: 'v_customer', autoParams: { totalCount: true } }) customers!: unknown
  @query(nullable(Customer), { sqlSource: 'v_customer', args: { id: ID } }) customer!: unknown
  @query(list(Employee), { sqlSource: 'v_employee' }) employees!: unknown
  @query(nullable(Employee), { sqlSource: 'v_employee', args: { id: ID } }) employee!: unknown
  @query(list(Person), { sqlSource: 'v_person' }) people!: unknown
  @query(list(Invoice), { sqlSource: 'v_invoice', args: { billingCountry: nullable(String) } }) invoices!: unknown
  @query(nullable(Invoice), { sqlSource: 'v_invoice', args: { id: ID } }) invoice!: unknown
  @query(list(InvoiceDocument), { sqlSource: 'v_invoice_document' }) invoiceDocuments!: unknown
  @query(nullable(InvoiceDocument), { sqlSource: 'v_invoice_document', args: { id: ID } }) invoiceDocument!: unknown
  @query(list(BestSeller), { sqlSource: 'v_best_seller' }) bestSellers!: unknown

  @mutation(Playlist, { sqlSource: 'fn_create_playlist', operation: 'CREATE', args: { input: CreatePlaylist } })
  createPlaylist!: unknown

  @mutation(Playlist, { sqlSource: 'fn_rename_playlist', operation: 'UPDATE', args: { id: ID, name: String } })
  renamePlaylist!: unknown

  @mutation(Playlist, { sqlSource: 'fn_add_track_to_playlist', args: { playlistId: ID, trackId: ID } })
  addTrackToPlaylist!: unknown

  @mutation(Playlist, { sqlSource: 'fn_remove_track_from_playlist', args: { playlistId: ID, trackId: ID } })
  removeTrackFromPlaylist!: unknown

  @mutation(Playlist, { sqlSource: 'fn_delete_playlist', operation: 'DELETE', args: { id: ID } })
  deletePlaylist!: unknown
}
