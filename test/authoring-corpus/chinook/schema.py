from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated

import svc


@svc.enum
class TrackLength:
    SHORT = svc.enum_value("short", description="Under three minutes")
    REGULAR = svc.enum_value("regular")
    LONG = svc.enum_value("long", description="Ten minutes and more")


@svc.type(relay=True, sql_source="v_artist")
class Artist:
    id: svc.ID
    name: str | None
    albums: list[Album]


@svc.type(relay=True, sql_source="v_album")
class Album:
    id: svc.ID
    title: str
    artist: Artist
    tracks: list[Track]


@svc.type(sql_source="v_genre")
class Genre:
    id: svc.ID
    name: str | None
    tracks: list[Track]


@svc.type(sql_source="v_media_type")
class MediaType:
    id: svc.ID
    name: str | None


@svc.type(relay=True, sql_source="v_track", aggregate=True)
class Track:
    id: svc.ID
    name: str
    composer: str | None
    "As printed on the cover, so often several people"
    milliseconds: int
    bytes: int | None
    unitPrice: Decimal
    length: TrackLength
    album: Album | None
    genre: Genre | None
    mediaType: MediaType
    playlists: list[PlaylistTrack]


@svc.type(sql_source="v_playlist")
class Playlist:
    id: svc.ID
    name: str | None
    trackCount: int
    tracks: list[PlaylistTrack]


@svc.type(sql_source="v_playlist_track")
class PlaylistTrack:
    """A track in a playlist"""

    id: svc.ID
    playlist: Playlist
    track: Track


@svc.interface(sql_source="v_person")
class Person:
    """Somebody with a name and an address"""

    id: svc.ID
    firstName: str
    lastName: str
    email: svc.Email | None
    city: str | None
    country: str | None


@svc.type(sql_source="v_employee", implements=[Person])
class Employee(Person):
    title: str | None
    birthDate: date | None
    hireDate: date | None
    reportsTo: Employee | None
    reports: Annotated[list[Employee], svc.field(relation={"from": "pk_employee", "to": "fk_reports_to"})]
    customers: Annotated[list[Customer], svc.field(relation={"from": "pk_employee", "to": "fk_support_rep"})]


@svc.type(
    sql_source="v_customer",
    implements=[Person],
    aggregate={"group_by": ["country", "state"], "count_distinct": ["country"]},
)
class Customer(Person):
    company: str | None
    phone: str | None
    state: str | None
    supportRep: Employee | None
    invoices: list[Invoice]


@svc.type(sql_source="v_invoice", aggregate=True)
class Invoice:
    id: svc.ID
    invoiceDate: datetime
    billingCity: str | None
    billingCountry: str | None
    total: Decimal
    customer: Customer
    lines: list[InvoiceLine]


@svc.type(sql_source="v_invoice_line", aggregate=True)
class InvoiceLine:
    id: svc.ID
    unitPrice: Decimal
    quantity: int
    invoice: Invoice
    track: Track


@svc.type(embedded=True)
class DocumentCustomer:
    name: str
    country: str | None


@svc.type(embedded=True)
class DocumentLine:
    track: str
    artist: str | None
    unitPrice: Decimal
    quantity: int


@svc.type(sql_source="v_invoice_document")
class InvoiceDocument:
    """An invoice with everything on it, in one JSON document"""

    id: svc.ID
    invoiceDate: datetime
    total: Decimal
    customer: DocumentCustomer
    lines: list[DocumentLine]


@svc.union(members=[Artist, Album, Track], sql_source="v_best_seller")
class BestSeller:
    """The five artists, albums and tracks that brought in most"""


@svc.input
class CreatePlaylist:
    """A new playlist"""

    name: str
    trackIds: list[int] | None = None
    "Tracks to start with"


@svc.query(sql_source="v_artist")
def artists() -> list[Artist]: ...


@svc.query(sql_source="v_artist")
def artist(id: svc.ID) -> Artist | None: ...


@svc.query(sql_source="v_album")
def albums() -> list[Album]: ...


@svc.query(sql_source="v_album")
def album(id: svc.ID) -> Album | None: ...


@svc.query(sql_source="v_track", relay=True)
def tracks() -> list[Track]: ...


@svc.query(sql_source="v_track")
def track(id: svc.ID) -> Track | None: ...


@svc.query(sql_source="v_genre")
def genres() -> list[Genre]: ...


@svc.query(sql_source="v_media_type")
def mediaTypes() -> list[MediaType]: ...


@svc.query(sql_source="v_playlist")
def playlists() -> list[Playlist]: ...


@svc.query(sql_source="v_playlist")
def playlist(id: svc.ID) -> Playlist | None: ...


@svc.query(sql_source="v_customer", auto_params={"total_count": True})
def customers() -> list[Customer]: ...


@svc.query(sql_source="v_customer")
def customer(id: svc.ID) -> Customer | None: ...


@svc.query(sql_source="v_employee")
def employees() -> list[Employee]: ...


@svc.query(sql_source="v_employee")
def employee(id: svc.ID) -> Employee | None: ...


@svc.query(sql_source="v_person")
def people() -> list[Person]: ...


@svc.query(sql_source="v_invoice")
def invoices(billingCountry: str | None = None) -> list[Invoice]: ...


@svc.query(sql_source="v_invoice")
def invoice(id: svc.ID) -> Invoice | None: ...


@svc.query(sql_source="v_invoice_document")
def invoiceDocuments() -> list[InvoiceDocument]: ...


@svc.query(sql_source="v_invoice_document")
def invoiceDocument(id: svc.ID) -> InvoiceDocument | None: ...


@svc.query(sql_source="v_best_seller")
def bestSellers() -> list[BestSeller]: ...


@svc.mutation(sql_source="fn_create_playlist", operation="CREATE")
def createPlaylist(input: CreatePlaylist) -> Playlist: ...


@svc.mutation(sql_source="fn_rename_playlist", operation="UPDATE")
def renamePlaylist(id: svc.ID, name: str) -> Playlist: ...


@svc.mutation(sql_source="fn_add_track_to_playlist")
def addTrackToPlaylist(playlistId: svc.ID, trackId: svc.ID) -> Playlist: ...


@svc.mutation(sql_source="fn_remove_track_from_playlist")
def removeTrackFromPlaylist(playlistId: svc.ID, trackId: svc.ID) -> Playlist: ...


@svc.mutation(sql_source="fn_delete_playlist", operation="DELETE")
def deletePlaylist(id: svc.ID) -> Playlist: ...


svc.export()
