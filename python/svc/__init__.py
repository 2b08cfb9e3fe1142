"""Declares the schema of an svc service in Python.

    import svc

    @svc.type(sql_source="v_user")
    class User:
        id: svc.ID
        name: str

    @svc.query
    def users() -> list[User]: ...

    svc.export()

``python schema.py`` writes ``schema.json``, from which ``svc compile`` makes the compiled schema.
"""

from __future__ import annotations

from ._actions import (
    chat as chat,
    email as email,
    webhook as webhook,
)
from ._collect import (
    SchemaError as SchemaError,
    collect as collect,
    schema_json as schema_json,
)
from ._decorators import (
    AggregateFields as AggregateFields,
    AutoParams as AutoParams,
    FilterArgument as FilterArgument,
    FilterConditions as FilterConditions,
    FilterTest as FilterTest,
    FullText as FullText,
    Relation as Relation,
    RetryConfig as RetryConfig,
    Through as Through,
    VectorConfig as VectorConfig,
    argument as argument,
    arrow_query as arrow_query,
    enum as enum,
    enum_value as enum_value,
    error as error,
    field as field,
    hierarchy as hierarchy,
    input as input,
    interface as interface,
    mutation as mutation,
    observer as observer,
    query as query,
    scalar as scalar,
    subscription as subscription,
    type as type,
    union as union,
    validate as validate,
)
from ._export import hold_output as _hold_output
from ._functions import (
    after_mutation as after_mutation,
    api_key_required as api_key_required,
    authenticated as authenticated,
    author_function as author_function,
    before_mutation as before_mutation,
    export as export,
    middleware as middleware,
    requires_scope as requires_scope,
    role as role,
    schema_keys as schema_keys,
)
from ._names import VERSION as __version__
from ._registry import (
    Fault as Fault,
    Place as Place,
    fresh_registry as fresh_registry,
)
from ._scalars import (
    APIKey as APIKey,
    AirportCode as AirportCode,
    BigInt as BigInt,
    BitVector as BitVector,
    Boolean as Boolean,
    CIDR as CIDR,
    CUSIP as CUSIP,
    Color as Color,
    ContainerNumber as ContainerNumber,
    Coordinates as Coordinates,
    CountryCode as CountryCode,
    CurrencyCode as CurrencyCode,
    Date as Date,
    DateRange as DateRange,
    DateTime as DateTime,
    Decimal as Decimal,
    DomainName as DomainName,
    Duration as Duration,
    Email as Email,
    ExchangeCode as ExchangeCode,
    ExchangeRate as ExchangeRate,
    File as File,
    FlightNumber as FlightNumber,
    Float as Float,
    GeoJSON as GeoJSON,
    HTML as HTML,
    HalfVector as HalfVector,
    HashSHA256 as HashSHA256,
    Hostname as Hostname,
    IBAN as IBAN,
    ID as ID,
    IPAddress as IPAddress,
    IPv4 as IPv4,
    IPv6 as IPv6,
    ISIN as ISIN,
    Image as Image,
    Int as Int,
    JSON as JSON,
    LEI as LEI,
    LTree as LTree,
    LanguageCode as LanguageCode,
    Latitude as Latitude,
    LicensePlate as LicensePlate,
    LocaleCode as LocaleCode,
    Longitude as Longitude,
    MACAddress as MACAddress,
    MIC as MIC,
    Markdown as Markdown,
    MimeType as MimeType,
    Money as Money,
    Percentage as Percentage,
    PhoneNumber as PhoneNumber,
    Port as Port,
    PortCode as PortCode,
    PostalCode as PostalCode,
    SEDOL as SEDOL,
    SemanticVersion as SemanticVersion,
    Slug as Slug,
    SparseVector as SparseVector,
    StockSymbol as StockSymbol,
    String as String,
    Time as Time,
    Timezone as Timezone,
    TrackingNumber as TrackingNumber,
    URL as URL,
    UUID as UUID,
    VIN as VIN,
    Vector as Vector,
)

_hold_output()
