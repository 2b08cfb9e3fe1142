"""The built-in scalars, for annotations. Generated from core/authoring by `npm run docs`. Do not edit."""

from __future__ import annotations

import datetime
import decimal
import uuid
from typing import Annotated, Any, TypeAlias

from ._brand import Brand

ID: TypeAlias = Annotated[str, Brand("scalar", "ID", is_builtin=True)]
"""A unique identifier. Text on the wire; its value fits the column: a UUID, an integer or a text."""
String: TypeAlias = Annotated[str, Brand("scalar", "String", is_builtin=True)]
"""Text in UTF-8."""
Int: TypeAlias = Annotated[int, Brand("scalar", "Int", is_builtin=True)]
"""An integer of 32 bits with sign."""
Float: TypeAlias = Annotated[float, Brand("scalar", "Float", is_builtin=True)]
"""A floating-point number of 64 bits (IEEE 754)."""
Boolean: TypeAlias = Annotated[bool, Brand("scalar", "Boolean", is_builtin=True)]
"""``true`` or ``false``."""
DateTime: TypeAlias = Annotated[datetime.datetime, Brand("scalar", "DateTime", is_builtin=True)]
"""A point in time, ISO 8601 in UTC: ``2026-01-31T12:00:00+00:00``. Input without a zone is UTC."""
Date: TypeAlias = Annotated[datetime.date, Brand("scalar", "Date", is_builtin=True)]
"""A day of the calendar: ``2026-01-31``."""
Time: TypeAlias = Annotated[datetime.time, Brand("scalar", "Time", is_builtin=True)]
"""A time of day without a zone: ``12:00:00``. Seconds and their fraction may be left out."""
UUID: TypeAlias = Annotated[uuid.UUID, Brand("scalar", "UUID", is_builtin=True)]
"""A UUID. Any case in, lower case out."""
Decimal: TypeAlias = Annotated[decimal.Decimal, Brand("scalar", "Decimal", is_builtin=True)]
"""A decimal number of any precision, as text: ``"12.50"``. A JSON number is taken when it is exact."""
BigInt: TypeAlias = Annotated[int, Brand("scalar", "BigInt", is_builtin=True)]
"""An integer of 64 bits with sign. Text out; text or number in."""
JSON: TypeAlias = Annotated[Any, Brand("scalar", "JSON", is_builtin=True)]
"""Any JSON value."""
Email: TypeAlias = Annotated[str, Brand("scalar", "Email", is_builtin=True)]
"""An e-mail address of at most 254 characters."""
PhoneNumber: TypeAlias = Annotated[str, Brand("scalar", "PhoneNumber", is_builtin=True)]
"""A telephone number in E.164: ``+`` and at most 15 digits. Spaces, dots, hyphens and parentheses are left out."""
URL: TypeAlias = Annotated[str, Brand("scalar", "URL", is_builtin=True)]
"""An absolute URL of http, https or ftp."""
DomainName: TypeAlias = Annotated[str, Brand("scalar", "DomainName", is_builtin=True)]
"""A name in the domain name system with at least two labels; no address."""
Hostname: TypeAlias = Annotated[str, Brand("scalar", "Hostname", is_builtin=True)]
"""The name of a host: labels of letters, digits and hyphens, with dots between them."""
PostalCode: TypeAlias = Annotated[str, Brand("scalar", "PostalCode", is_builtin=True)]
"""A postal code: 3 to 10 letters and digits, with single spaces or hyphens between them."""
Latitude: TypeAlias = Annotated[float, Brand("scalar", "Latitude", is_builtin=True)]
"""Degrees north of the equator, from -90 to 90."""
Longitude: TypeAlias = Annotated[float, Brand("scalar", "Longitude", is_builtin=True)]
"""Degrees east of Greenwich, from -180 to 180."""
Coordinates: TypeAlias = Annotated[str, Brand("scalar", "Coordinates", is_builtin=True)]
"""Latitude and longitude in degrees, ``"lat,lng"``. ``{ lat, lng }`` is taken, too."""
Timezone: TypeAlias = Annotated[str, Brand("scalar", "Timezone", is_builtin=True)]
"""A time zone of the IANA database."""
LocaleCode: TypeAlias = Annotated[str, Brand("scalar", "LocaleCode", is_builtin=True)]
"""A language with its script and its country, or without: ``xx``, ``xx-YY``, ``xx-Script-YY`` (BCP 47)."""
LanguageCode: TypeAlias = Annotated[str, Brand("scalar", "LanguageCode", is_builtin=True)]
"""A language by ISO 639: one of two lower-case letters (ISO 639-1), or any of three."""
CountryCode: TypeAlias = Annotated[str, Brand("scalar", "CountryCode", is_builtin=True)]
"""A country by ISO 3166-1 alpha-2."""
IBAN: TypeAlias = Annotated[str, Brand("scalar", "IBAN", is_builtin=True)]
"""An international bank account number: length of its country, check digits. Spaces are left out."""
CUSIP: TypeAlias = Annotated[str, Brand("scalar", "CUSIP", is_builtin=True)]
"""A security of North America: nine characters, the last a check digit."""
ISIN: TypeAlias = Annotated[str, Brand("scalar", "ISIN", is_builtin=True)]
"""A security: two letters, nine characters, a check digit."""
SEDOL: TypeAlias = Annotated[str, Brand("scalar", "SEDOL", is_builtin=True)]
"""A security of the London Stock Exchange: seven characters without vowels, the last a check digit."""
LEI: TypeAlias = Annotated[str, Brand("scalar", "LEI", is_builtin=True)]
"""A legal entity: 20 characters, the last two check digits."""
MIC: TypeAlias = Annotated[str, Brand("scalar", "MIC", is_builtin=True)]
"""A market by ISO 10383: four characters."""
CurrencyCode: TypeAlias = Annotated[str, Brand("scalar", "CurrencyCode", is_builtin=True)]
"""A currency by ISO 4217."""
Money: TypeAlias = Annotated[str, Brand("scalar", "Money", is_builtin=True)]
"""An amount and its currency, ``"12.50 EUR"``. ``{ amount, currency }`` is taken, too."""
ExchangeCode: TypeAlias = Annotated[str, Brand("scalar", "ExchangeCode", is_builtin=True)]
"""The code of an exchange: 2 to 10 upper-case letters and digits."""
ExchangeRate: TypeAlias = Annotated[str, Brand("scalar", "ExchangeRate", is_builtin=True)]
"""A positive decimal number, as text."""
StockSymbol: TypeAlias = Annotated[str, Brand("scalar", "StockSymbol", is_builtin=True)]
"""The symbol of a stock: 1 to 5 upper-case letters."""
Slug: TypeAlias = Annotated[str, Brand("scalar", "Slug", is_builtin=True)]
"""Words of lower-case letters and digits with hyphens between them."""
SemanticVersion: TypeAlias = Annotated[str, Brand("scalar", "SemanticVersion", is_builtin=True)]
"""A version by Semantic Versioning 2.0.0."""
HashSHA256: TypeAlias = Annotated[str, Brand("scalar", "HashSHA256", is_builtin=True)]
"""A SHA-256 hash: 64 hexadecimal digits."""
APIKey: TypeAlias = Annotated[str, Brand("scalar", "APIKey", is_builtin=True)]
"""A key of 16 to 256 characters: letters, digits and ``. _ ~ + / = -``."""
LicensePlate: TypeAlias = Annotated[str, Brand("scalar", "LicensePlate", is_builtin=True)]
"""The plate of a vehicle: 2 to 12 letters and digits, with single spaces or hyphens between them."""
VIN: TypeAlias = Annotated[str, Brand("scalar", "VIN", is_builtin=True)]
"""A vehicle: 17 characters without I, O and Q, the ninth a check digit."""
TrackingNumber: TypeAlias = Annotated[str, Brand("scalar", "TrackingNumber", is_builtin=True)]
"""A parcel at its carrier: 8 to 40 upper-case letters and digits."""
ContainerNumber: TypeAlias = Annotated[str, Brand("scalar", "ContainerNumber", is_builtin=True)]
"""A container by ISO 6346: four letters, six digits, a check digit."""
AirportCode: TypeAlias = Annotated[str, Brand("scalar", "AirportCode", is_builtin=True)]
"""An airport by IATA: three upper-case letters."""
PortCode: TypeAlias = Annotated[str, Brand("scalar", "PortCode", is_builtin=True)]
"""A place of trade by UN/LOCODE: two letters of the country, or ``XZ`` for waters of none, three of the place."""
FlightNumber: TypeAlias = Annotated[str, Brand("scalar", "FlightNumber", is_builtin=True)]
"""A flight: two characters of the airline, 1 to 4 digits, a letter or none."""
IPAddress: TypeAlias = Annotated[str, Brand("scalar", "IPAddress", is_builtin=True)]
"""An address of the internet protocol, version 4 or 6."""
IPv4: TypeAlias = Annotated[str, Brand("scalar", "IPv4", is_builtin=True)]
"""An address of the internet protocol, version 4."""
IPv6: TypeAlias = Annotated[str, Brand("scalar", "IPv6", is_builtin=True)]
"""An address of the internet protocol, version 6."""
MACAddress: TypeAlias = Annotated[str, Brand("scalar", "MACAddress", is_builtin=True)]
"""A hardware address: six octets with colons or hyphens between them."""
CIDR: TypeAlias = Annotated[str, Brand("scalar", "CIDR", is_builtin=True)]
"""A network in prefix notation; the bits behind the prefix are zero."""
Port: TypeAlias = Annotated[float, Brand("scalar", "Port", is_builtin=True)]
"""A port of TCP or UDP, from 0 to 65535."""
Markdown: TypeAlias = Annotated[str, Brand("scalar", "Markdown", is_builtin=True)]
"""A text in Markdown."""
HTML: TypeAlias = Annotated[str, Brand("scalar", "HTML", is_builtin=True)]
"""A text in HTML. It goes through as it is: nothing is taken out of it."""
MimeType: TypeAlias = Annotated[str, Brand("scalar", "MimeType", is_builtin=True)]
"""A media type: ``type/subtype``, with parameters or without."""
Color: TypeAlias = Annotated[str, Brand("scalar", "Color", is_builtin=True)]
"""A colour: ``#RGB``, ``#RRGGBB`` or ``#RRGGBBAA``."""
Image: TypeAlias = Annotated[str, Brand("scalar", "Image", is_builtin=True)]
"""An image by its URL, path or ``data:`` reference."""
File: TypeAlias = Annotated[str, Brand("scalar", "File", is_builtin=True)]
"""A file by its URL or path."""
LTree: TypeAlias = Annotated[str, Brand("scalar", "LTree", is_builtin=True)]
"""A path in a tree: labels of letters, digits and ``_`` with dots between them."""
DateRange: TypeAlias = Annotated[str, Brand("scalar", "DateRange", is_builtin=True)]
"""A range of days, ``"[2026-01-01,2026-02-01)"``. ``{ start, end }`` with both ends in it is taken, too."""
Duration: TypeAlias = Annotated[str, Brand("scalar", "Duration", is_builtin=True)]
"""A length of time in ISO 8601. The database's own text of an interval is taken, too."""
Percentage: TypeAlias = Annotated[float, Brand("scalar", "Percentage", is_builtin=True)]
"""A share of a hundred, from 0 to 100."""
Vector: TypeAlias = Annotated[Any, Brand("scalar", "Vector", is_builtin=True)]
"""A vector of numbers of 32 bits: a list of numbers."""
HalfVector: TypeAlias = Annotated[Any, Brand("scalar", "HalfVector", is_builtin=True)]
"""A vector of numbers of 16 bits: a list of numbers."""
SparseVector: TypeAlias = Annotated[str, Brand("scalar", "SparseVector", is_builtin=True)]
"""A vector of which most numbers are zero: the others by their places, and the count of dimensions."""
BitVector: TypeAlias = Annotated[str, Brand("scalar", "BitVector", is_builtin=True)]
"""A vector of bits, as a text of 0 and 1."""
GeoJSON: TypeAlias = Annotated[Any, Brand("scalar", "GeoJSON", is_builtin=True)]
"""A point, line or polygon, several of them, or a collection of such: a geometry of GeoJSON."""
