"""The decorators, with the options of each. Generated from core/authoring by `npm run docs`. Do not edit."""

from __future__ import annotations

import builtins
import functools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NoReturn, TypeAlias, TypedDict, TypeVar, cast, overload

from ._forms_of_elements import (
    ARROW_QUERY,
    ENUM,
    ERROR,
    INPUT,
    INTERFACE,
    MUTATION,
    QUERY,
    SCALAR,
    SUBSCRIPTION,
    TYPE,
    UNION,
    ArgumentOptions,
    FieldOptions,
    declare_class,
    declare_hierarchy,
    declare_observer,
    declare_operation,
    make_enum_value,
    make_options,
    make_rules,
)
from ._options_of import given as _given
from ._rules import Validation
from ._unset import UNSET

C = TypeVar("C", bound=builtins.type)
F = TypeVar("F", bound=Callable[..., Any])

Named: TypeAlias = builtins.type[Any] | str
"""A declared class, or the name of an element."""
Change: TypeAlias = Literal["INSERT", "UPDATE", "DELETE"]
Rule: TypeAlias = Validation | Mapping[str, object] | Literal["required"]
RuleSource: TypeAlias = Rule | Sequence[Rule]
"""Rules of the option ``validate``: those of ``svc.validate(…)``, a dict, or a list of them."""


def _run_by(run: Callable[[tuple[Any, ...], dict[str, Any]], Any]) -> Callable[[F], F]:
    """Replaces the body of a function, whose signature is for type checkers: wrong options are reported all at once."""

    def replace(declared: F) -> F:
        @functools.wraps(declared)
        def declare(*given: Any, **options: Any) -> Any:
            return run(given, _given(**options))

        return cast(F, declare)

    return replace


AggregateFields = TypedDict(
    "AggregateFields",
    {
        "group_by": Sequence[str],
        "count_distinct": Sequence[str],
        "sum": Sequence[str],
        "avg": Sequence[str],
        "min": Sequence[str],
        "max": Sequence[str],
    },
    total=False,
)
"""A dict with ``group_by``, ``count_distinct``, ``sum``, ``avg``, ``min``, ``max``."""

AutoParams = TypedDict(
    "AutoParams",
    {
        "where": bool,
        "order_by": bool,
        "limit": bool,
        "offset": bool,
        "total_count": bool,
    },
    total=False,
)
"""A dict with ``where``, ``order_by``, ``limit``, ``offset``, ``total_count``."""

_FilterTestKeys = TypedDict(
    "_FilterTestKeys",
    {
        "path": str,
        "value": object,
    },
)


class FilterTest(_FilterTestKeys, total=False):
    """A dict with ``path``, ``operator``, ``value``."""

    operator: Literal["eq", "neq", "gt", "gte", "lt", "lte", "in", "contains"]


FilterArgument = TypedDict(
    "FilterArgument",
    {
        "argument": str,
        "path": str,
    },
)
"""A dict with ``argument``, ``path``."""

FilterConditions = TypedDict(
    "FilterConditions",
    {
        "conditions": Sequence[FilterTest | FilterArgument],
    },
)
"""A dict with ``conditions``."""

VectorConfig = TypedDict(
    "VectorConfig",
    {
        "dimensions": int,
        "distance_metric": Literal["cosine", "l2", "l1", "inner_product", "hamming", "jaccard"],
    },
    total=False,
)
"""A dict with ``dimensions``, ``distance_metric``."""

Through = TypedDict(
    "Through",
    {
        "sql_source": str,
        "from": str | Sequence[str],
        "to": str | Sequence[str],
    },
)
"""A dict with ``sql_source``, ``from``, ``to``."""

_RelationKeys = TypedDict(
    "_RelationKeys",
    {
        "from": str | Sequence[str],
        "to": str | Sequence[str],
    },
)


class Relation(_RelationKeys, total=False):
    """A dict with ``from``, ``to``, ``through``."""

    through: Through


_FullTextKeys = TypedDict(
    "_FullTextKeys",
    {
        "column": str,
    },
)


class FullText(_FullTextKeys, total=False):
    """A dict with ``column``, ``query``, ``config``, ``rank``."""

    query: Literal["plain", "phrase", "websearch"]
    config: str
    rank: bool


class RetryConfig:
    """Attempts of an observer's actions, and the delay between them: ``retry=svc.RetryConfig(max_attempts=5)``.

    Options:
        max_attempts: Number of attempts, including the first. Default 3.
        backoff_strategy: Growth of the delay between attempts. Default ``exponential``.
        initial_delay_ms: Delay before the second attempt. Default 100.
        max_delay_ms: Longest delay. Default 30,000.
    """

    def __init__(
        self,
        *,
        max_attempts: int | None = None,
        backoff_strategy: Literal["exponential", "linear", "fixed"] | None = None,
        initial_delay_ms: int | None = None,
        max_delay_ms: int | None = None,
        **unknown: NoReturn,
    ) -> None:
        self.__svc_options__ = _given(
            max_attempts=max_attempts,
            backoff_strategy=backoff_strategy,
            initial_delay_ms=initial_delay_ms,
            max_delay_ms=max_delay_ms,
            **unknown,
        )


@overload
def type(cls: C, /) -> C: ...
@overload
def type(
    *,
    name: str | None = None,
    description: str | None = None,
    sql_source: str | None = None,
    jsonb_column: str | None = None,
    key: str | Sequence[str] | None = None,
    implements: Sequence[Named] | None = None,
    relay: bool | None = None,
    embedded: bool | None = None,
    database: str | None = None,
    dataplane: Literal["graphql", "arrow"] | None = None,
    requires_role: str | Sequence[str] | None = None,
    is_error: bool | None = None,
    key_fields: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    resolvable: bool | None = None,
    inaccessible: bool | None = None,
    tags: Sequence[str] | None = None,
    extends: bool | None = None,
    shareable: bool | None = None,
    interface_object: bool | None = None,
    directives: Sequence[str] | None = None,
    inject: Mapping[str, str] | None = None,
    row_filter: str | None = None,
    open: bool | None = None,
    aggregate: bool | AggregateFields | None = None,
    extra: Mapping[str, object] | None = None,
) -> Callable[[C], C]: ...
def type(*given: Any, **options: Any) -> Any:
    """Declares an object type. Its fields are the annotations of the class, its description the docstring.

    Example::

        @svc.type(relay=True, sql_source="v_user")
        class User:
            id: svc.ID
            name: str

    Options:
        name: Name in the schema. Default: the name of the class.
        description: Shown in the schema and the documentation. Default: the docstring.
        sql_source: View or table that contains the rows of the type.
        jsonb_column: Column that contains the row as a JSON document, if the view has the columns ``id`` and
            ``data``. Default ``data``.
        key: Columns of the type's view or table that identify a row: ``"sku"``, ``["order_no", "line_no"]``. Relay
            pages are sorted by them. Default: ``pk_<entity>``, otherwise a unique key that svc finds in the
            database catalog.
        implements: Interfaces.
        relay: ``True``: the type implements the Relay interface ``Node``, and its queries may have ``relay=True``.
            The view needs a column ``pk_<entity>``, or the type the option ``key``.
        embedded: ``True``: the values of the type are part of the JSON document of another type, so the type has no
            view or table of its own.
        database: Name of the database in ``[databases]`` of svc.toml that contains the rows of the type. Default:
            the database of ``[database]``.
        dataplane: Transport that the type is made for.
        requires_role: Role that a caller needs for every read of the type. Of a list, the caller needs one role.
        is_error: Failures of mutations can have this type. ``error`` sets it.
        key_fields: A key: ``["id"]``. A key of several parts: ``["sku", "package"]``; of an object: ``["study {
            caseNumber }"]``.
        keys: Several keys, each a selection: ``["id", "sku package", "sku variation { id }"]``.
        resolvable: ``False``: the keys are only references to another subgraph. This service does not resolve
            representations of the type.
        inaccessible: ``True``: routers hide it from clients.
        tags: Tags for contracts (variants of the supergraph).
        extends: Extends a type of another subgraph.
        shareable: Other subgraphs may resolve its fields too.
        interface_object: The type stands for an interface of another subgraph, and adds its fields to all types of
            that interface.
        directives: Directives of ``[federation] compose_directives``, as they are applied: ``@owner(team: "x")``.
        inject: Limits every read of the type (queries, relations, filters across relations, ``node``, results of
            mutations) to rows whose column equals a claim of the caller's token: ``{"tenant_id": "jwt:tenant"}``.
        row_filter: SQL condition on the columns of the type's view or table, which applies to every read of the
            type. Each ``{name}`` placeholder is filled with the value of that name in the request's context.
        open: ``True``: rows can also be read through relations, results of mutations and ``node``, where the rules
            of the type's queries (``inject``, ``row_filter``) do not apply.
        aggregate: ``True``: svc adds queries that aggregate the rows of the type, with all suitable functions and
            fields: ``postsAggregate { count }``, ``postsGroups(groupBy: [author])``. An object limits the fields of
            each function: ``{"sum": ["total"], "group_by": ["country"]}``.
        extra: Keys of plugins for this type that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_class(TYPE, given, _given(**options))


@overload
def interface(cls: C, /) -> C: ...
@overload
def interface(
    *,
    name: str | None = None,
    description: str | None = None,
    sql_source: str | None = None,
    type_column: str | None = None,
    aggregate: bool | AggregateFields | None = None,
    key_fields: Sequence[str] | None = None,
    keys: Sequence[str] | None = None,
    resolvable: bool | None = None,
    inaccessible: bool | None = None,
    tags: Sequence[str] | None = None,
) -> Callable[[C], C]: ...
def interface(*given: Any, **options: Any) -> Any:
    """Declares an interface. A type names it in ``implements`` and has its fields: by inheritance, or written again.

    Example::

        @svc.interface(sql_source="v_person")
        class Person:
            name: str

    Options:
        name: Name in the schema. Default: the name of the class.
        description: Shown in the schema and the documentation. Default: the docstring.
        sql_source: View that contains the rows of all types that implement the interface.
        type_column: Column of the view whose value is the name of the row's object type. Default ``__typename``.
        aggregate: ``True``: svc adds queries that aggregate the rows of all types that implement the interface. An
            object limits the fields of each function.
        key_fields: A key: ``["id"]``. A key of several parts: ``["sku", "package"]``; of an object: ``["study {
            caseNumber }"]``.
        keys: Several keys, each a selection: ``["id", "sku package", "sku variation { id }"]``.
        resolvable: ``False``: the keys are only references to another subgraph. This service does not resolve
            representations of the type.
        inaccessible: ``True``: routers hide it from clients.
        tags: Tags for contracts (variants of the supergraph).

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_class(INTERFACE, given, _given(**options))


@overload
def input(cls: C, /) -> C: ...
@overload
def input(
    *,
    name: str | None = None,
    description: str | None = None,
    validate: RuleSource | None = None,
) -> Callable[[C], C]: ...
def input(*given: Any, **options: Any) -> Any:
    """Declares an input type, for arguments of mutations.

    Example::

        @svc.input
        class CreateUser:
            name: Annotated[str, svc.validate(min_length=1)]

    Options:
        name: Name in the schema. Default: the name of the class.
        description: Shown in the schema and the documentation. Default: the docstring.
        validate: Validation rules over several fields of the input: ``{"one_of": ["email", "phone"]}``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_class(INPUT, given, _given(**options))


@overload
def error(cls: C, /) -> C: ...
@overload
def error(
    *,
    name: str | None = None,
    description: str | None = None,
    implements: Sequence[Named] | None = None,
    extra: Mapping[str, object] | None = None,
) -> Callable[[C], C]: ...
def error(*given: Any, **options: Any) -> Any:
    """Declares a type for failures of mutations, as member of a union that the mutation returns.

    Example::

        @svc.error
        class OutOfStock:
            message: str
            left: int

    Options:
        name: Name in the schema. Default: the name of the class.
        description: Shown in the schema and the documentation. Default: the docstring.
        implements: Interfaces.
        extra: Keys of plugins for this type that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_class(ERROR, given, _given(**options))


@overload
def enum(cls: C, /) -> C: ...
@overload
def enum(
    *,
    name: str | None = None,
    description: str | None = None,
) -> Callable[[C], C]: ...
def enum(*given: Any, **options: Any) -> Any:
    """Declares an enum: a class with texts, or a subclass of ``enum.Enum``. The name is the value in GraphQL, the text
    that in SQL.

    Example::

        @svc.enum
        class Status:
            DRAFT = "draft"
            DONE = svc.enum_value("done", deprecated="Use DRAFT")

    Options:
        name: Name in the schema. Default: the name of the class.
        description: Shown in the schema and the documentation. Default: the docstring.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_class(ENUM, given, _given(**options))


@_run_by(lambda given, options: declare_class(UNION, given, options))
def union(
    *,
    name: str | None = None,
    members: Sequence[Named] | Callable[[], Sequence[Named]],
    description: str | None = None,
    sql_source: str | None = None,
    type_column: str | None = None,
) -> Callable[[C], C]:
    """Declares a union. The class has no content.

    Example::

        @svc.union(members=[Artist, Album], sql_source="v_search")
        class SearchResult: ...

    Options:
        name: Name in the schema. Default: the name of the class.
        members: The members: classes, or names of types that are declared further down.
        description: Shown in the schema and the documentation.
        sql_source: View that contains the rows of all object types of the union.
        type_column: Column of the view whose value is the name of the row's object type. Default ``__typename``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    raise NotImplementedError


@overload
def scalar(cls: C, /) -> C: ...
@overload
def scalar(
    *,
    name: str | None = None,
    description: str | None = None,
    specified_by_url: str | None = None,
    base_type: object | None = None,
    validation_rules: RuleSource | None = None,
    elo_expression: str | None = None,
    module: str | None = None,
    export: str | None = None,
) -> Callable[[C], C]: ...
def scalar(*given: Any, **options: Any) -> Any:
    """Declares a custom scalar. Its functions run in the server, so they are those of a JavaScript module that ``module``
    names.

    Example::

        @svc.scalar(base_type=svc.Decimal, module="./scalars.mjs")
        class Money: ...

    Options:
        name: Name in the schema. Default: the name of the class.
        description: Shown in the schema and the documentation. Default: the docstring.
        specified_by_url: Where the format is specified.
        base_type: The built-in scalar whose JSON format, filter operators and column type the custom scalar has.
            Default ``String``.
        validation_rules: Validation rules for values that clients send. Allowed are pattern, length, range, enum,
            checksum, all and any.
        elo_expression: Expression over ``value`` that must be true for a value from a client, such as ``value % 5
            == 0``. It is checked after ``validation_rules``.
        module: JavaScript module with ``serialize``, ``parse`` and ``parse_literal``; a path relative to svc.toml.
        export: Name of the export of the module. Default: the name of the scalar.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_class(SCALAR, given, _given(**options))


@overload
def query(function: F, /) -> F: ...
@overload
def query(
    *,
    name: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    validate: RuleSource | None = None,
    sql_source: str | None = None,
    inject: Mapping[str, str] | None = None,
    requires_role: str | Sequence[str] | None = None,
    requires_scope: str | None = None,
    requires_policy: str | None = None,
    authenticated: bool | None = None,
    api_key_required: bool | None = None,
    public: bool | None = None,
    rest_path: str | None = None,
    rest_method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None = None,
    database: str | None = None,
    extra: Mapping[str, object] | None = None,
    auto_params: bool | AutoParams | None = None,
    relay: bool | None = None,
    jsonb_column: str | None = None,
    type_column: str | None = None,
    cache_ttl: int | None = None,
    cache: bool | None = None,
    additional_views: Sequence[str] | None = None,
    id_arg: str | None = None,
    row_filter: str | None = None,
    aggregate: bool | None = None,
) -> Callable[[F], F]: ...
def query(*given: Any, **options: Any) -> Any:
    """Declares a query. Its arguments are the parameters of the function, its result is what the function returns, its
    description the docstring. The function is never called.

    Example::

        @svc.query(sql_source="v_user")
        def users(country: str | None = None) -> list[User]: ...

    Options:
        name: Name in the schema. Default: the name of the function.
        description: Shown in the schema and the documentation. Default: the docstring.
        deprecated: Reason for the deprecation, which clients see. Name the replacement in it.
        validate: Validation rules over several arguments of the operation: ``{"one_of": ["email", "phone"]}``.
        sql_source: The view or table that a query reads, or the SQL function that a mutation calls.
        inject: Fills SQL parameters with claims of the caller's token: ``{"owner_id": "jwt:sub"}``. Clients never
            see or set these parameters.
        requires_role: Role that the caller must have. Of a list, the caller needs one role.
        requires_scope: Scope that the caller must have. Separate several scopes by spaces; the caller needs all of
            them.
        requires_policy: Name of the policy in ``[[security.policies]]`` of svc.toml that allows or denies calls of
            the operation.
        authenticated: Only with a credential.
        api_key_required: Only with an API key.
        public: ``True``: clients may call the operation without a credential, even if ``security.default_policy``
            requires one.
        rest_path: REST route, with ``{param}`` placeholders.
        rest_method: REST method.
        database: Name of the database in ``[databases]`` of svc.toml that runs the operation. Default: the database
            of the result type.
        extra: Keys of plugins for this operation that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.
        auto_params: ``True``: the query has the arguments ``where``, ``order_by``, ``limit`` and ``offset``;
            ``False``: none. An object switches them one by one.
        relay: ``True``: the result is a Relay connection with cursors, sorted by a key. The result type needs the
            option ``relay`` too.
        jsonb_column: Column that contains the row as a JSON document, if the view has the columns ``id`` and
            ``data``. Default ``data``.
        type_column: Column whose value is the name of the row's object type, if the result is a union or interface.
            Default ``__typename``.
        cache_ttl: How long results may be cached, in seconds.
        cache: ``False``: results are never cached, also with ``[svc.caching]`` enabled.
        additional_views: Further views that the result depends on. When one of these views changes, svc evicts the
            result from its caches.
        id_arg: Name of the query's argument that selects a row by its id.
        row_filter: SQL condition on the rows. Each ``{name}`` placeholder is filled with the value of that name in
            the request's context, which middleware sets.
        aggregate: ``False``: svc generates no aggregate queries over the rows of this query, although its type has
            the option ``aggregate``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_operation(QUERY, given, _given(**options))


@overload
def mutation(function: F, /) -> F: ...
@overload
def mutation(
    *,
    name: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    validate: RuleSource | None = None,
    sql_source: str | None = None,
    inject: Mapping[str, str] | None = None,
    requires_role: str | Sequence[str] | None = None,
    requires_scope: str | None = None,
    requires_policy: str | None = None,
    authenticated: bool | None = None,
    api_key_required: bool | None = None,
    public: bool | None = None,
    rest_path: str | None = None,
    rest_method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"] | None = None,
    database: str | None = None,
    extra: Mapping[str, object] | None = None,
    operation: Literal["CREATE", "UPDATE", "DELETE", "CUSTOM"] | None = None,
    input_style: Literal["flatten", "jsonb"] | None = None,
    call: Literal["positional"] | None = None,
    invalidates: Sequence[str] | None = None,
    cache_update: bool | None = None,
    cascade: bool | None = None,
    upsert_function: str | None = None,
) -> Callable[[F], F]: ...
def mutation(*given: Any, **options: Any) -> Any:
    """Declares a mutation, which calls a function of the database. The Python function is never called.

    Example::

        @svc.mutation(sql_source="fn_create_user", operation="CREATE")
        def create_user(input: CreateUser) -> User: ...

    Options:
        name: Name in the schema. Default: the name of the function.
        description: Shown in the schema and the documentation. Default: the docstring.
        deprecated: Reason for the deprecation, which clients see. Name the replacement in it.
        validate: Validation rules over several arguments of the operation: ``{"one_of": ["email", "phone"]}``.
        sql_source: The view or table that a query reads, or the SQL function that a mutation calls.
        inject: Fills SQL parameters with claims of the caller's token: ``{"owner_id": "jwt:sub"}``. Clients never
            see or set these parameters.
        requires_role: Role that the caller must have. Of a list, the caller needs one role.
        requires_scope: Scope that the caller must have. Separate several scopes by spaces; the caller needs all of
            them.
        requires_policy: Name of the policy in ``[[security.policies]]`` of svc.toml that allows or denies calls of
            the operation.
        authenticated: Only with a credential.
        api_key_required: Only with an API key.
        public: ``True``: clients may call the operation without a credential, even if ``security.default_policy``
            requires one.
        rest_path: REST route, with ``{param}`` placeholders.
        rest_method: REST method.
        database: Name of the database in ``[databases]`` of svc.toml that runs the operation. Default: the database
            of the result type.
        extra: Keys of plugins for this operation that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.
        operation: The kind of change that the mutation makes to the rows of its result type. Default ``CUSTOM``.
        input_style: How svc passes an argument of an input type to the SQL function: as one parameter per field
            (``flatten``), or as one JSONB value (``jsonb``). Default: derived from the function's signature.
        call: Binds arguments to the parameters of the SQL function by position, in the order of their declaration,
            with the claims of ``inject`` last. Default: by name, with or without the prefix ``p_``.
        invalidates: Views that the mutation changes. Cached results that read them are removed.
        cache_update: Refresh the cached entity.
        cascade: ``True``: the function reports other rows that it changed, in a column ``cascade``.
        upsert_function: Function for REST upserts. Default: none.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_operation(MUTATION, given, _given(**options))


@overload
def subscription(function: F, /) -> F: ...
@overload
def subscription(
    *,
    name: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    validate: RuleSource | None = None,
    inject: Mapping[str, str] | None = None,
    requires_role: str | Sequence[str] | None = None,
    requires_scope: str | None = None,
    requires_policy: str | None = None,
    authenticated: bool | None = None,
    api_key_required: bool | None = None,
    public: bool | None = None,
    database: str | None = None,
    extra: Mapping[str, object] | None = None,
    entity_type: Named | None = None,
    topic: str | None = None,
    operation: Change | Sequence[Change] | None = None,
    filter: str | FilterTest | FilterConditions | None = None,
    durable: bool | None = None,
    replay: bool | None = None,
) -> Callable[[F], F]: ...
def subscription(*given: Any, **options: Any) -> Any:
    """Declares a subscription. Each argument is a condition: it has to equal the entity's field of its name.

    Example::

        @svc.subscription(operation="UPDATE", filter="status == 'shipped'")
        def order_shipped(id: svc.ID | None = None) -> Order: ...

    Options:
        name: Name in the schema. Default: the name of the function.
        description: Shown in the schema and the documentation. Default: the docstring.
        deprecated: Reason for the deprecation, which clients see. Name the replacement in it.
        validate: Validation rules over several arguments of the operation: ``{"one_of": ["email", "phone"]}``.
        inject: Fills SQL parameters with claims of the caller's token: ``{"owner_id": "jwt:sub"}``. Clients never
            see or set these parameters.
        requires_role: Role that the caller must have. Of a list, the caller needs one role.
        requires_scope: Scope that the caller must have. Separate several scopes by spaces; the caller needs all of
            them.
        requires_policy: Name of the policy in ``[[security.policies]]`` of svc.toml that allows or denies calls of
            the operation.
        authenticated: Only with a credential.
        api_key_required: Only with an API key.
        public: ``True``: clients may call the operation without a credential, even if ``security.default_policy``
            requires one.
        database: Name of the database in ``[databases]`` of svc.toml that runs the operation. Default: the database
            of the result type.
        extra: Keys of plugins for this operation that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.
        entity_type: The type whose changed rows are sent: its class, the result of ``type()``, or its name.
            Default: the result type of the subscription.
        topic: Sends only events of this topic: ``order_created`` (or ``_updated``, ``_deleted``) for rows of
            ``Order``, the name of a mutation, or the part after ``svc_`` in the name of a PostgreSQL notification
            channel. Default: all changes of the entity.
        operation: Kinds of changes to send. Default: all.
        filter: Condition on the fields of the changed row: ``"status == "shipped" and customer_id ==
            context.user_id"``. As an object: ``{path, operator, value}``, or ``{conditions}`` for several.
            ``{argument, path}`` compares an argument with the value at a path.
        durable: ``True``: a subscription loses no event while it lasts. svc reads missed events again from the
            event backend, which must store them.
        replay: ``True``: a client that subscribes again may send the id of the last event that it received, and
            gets all later events. Requires ``durable``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_operation(SUBSCRIPTION, given, _given(**options))


@overload
def arrow_query(function: F, /) -> F: ...
@overload
def arrow_query(
    *,
    name: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    validate: RuleSource | None = None,
    sql_source: str | None = None,
    inject: Mapping[str, str] | None = None,
    requires_role: str | Sequence[str] | None = None,
    requires_scope: str | None = None,
    requires_policy: str | None = None,
    authenticated: bool | None = None,
    api_key_required: bool | None = None,
    public: bool | None = None,
    database: str | None = None,
    extra: Mapping[str, object] | None = None,
    auto_params: bool | AutoParams | None = None,
    jsonb_column: str | None = None,
    row_filter: str | None = None,
) -> Callable[[F], F]: ...
def arrow_query(*given: Any, **options: Any) -> Any:
    """Declares a columnar query, which only the Arrow transport serves.

    Example::

        @svc.arrow_query(sql_source="va_sale")
        def sales() -> list[Sale]: ...

    Options:
        name: Name in the schema. Default: the name of the function.
        description: Shown in the schema and the documentation. Default: the docstring.
        deprecated: Reason for the deprecation, which clients see. Name the replacement in it.
        validate: Validation rules over several arguments of the operation: ``{"one_of": ["email", "phone"]}``.
        sql_source: The view or table that a query reads, or the SQL function that a mutation calls.
        inject: Fills SQL parameters with claims of the caller's token: ``{"owner_id": "jwt:sub"}``. Clients never
            see or set these parameters.
        requires_role: Role that the caller must have. Of a list, the caller needs one role.
        requires_scope: Scope that the caller must have. Separate several scopes by spaces; the caller needs all of
            them.
        requires_policy: Name of the policy in ``[[security.policies]]`` of svc.toml that allows or denies calls of
            the operation.
        authenticated: Only with a credential.
        api_key_required: Only with an API key.
        public: ``True``: clients may call the operation without a credential, even if ``security.default_policy``
            requires one.
        database: Name of the database in ``[databases]`` of svc.toml that runs the operation. Default: the database
            of the result type.
        extra: Keys of plugins for this operation that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.
        auto_params: ``True``: the query has the arguments ``where``, ``order_by``, ``limit`` and ``offset``;
            ``False``: none. An object switches them one by one.
        jsonb_column: Column that contains the row as a JSON document, if the view has the columns ``id`` and
            ``data``. Default ``data``.
        row_filter: SQL condition on the rows. Each ``{name}`` placeholder is filled with the value of that name in
            the request's context, which middleware sets.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return declare_operation(ARROW_QUERY, given, _given(**options))


@_run_by(lambda given, options: declare_observer(given, options))
def observer(
    *,
    name: str | None = None,
    entity: Named,
    event: str,
    condition: str | None = None,
    actions: Sequence[Mapping[str, object]],
    retry: RetryConfig | Mapping[str, object] | None = None,
    sync: bool | None = None,
) -> Callable[[F], F]:
    """Declares actions after the commit of a change. The function is never called.

    Example::

        @svc.observer(entity=Order, event="INSERT", actions=[svc.webhook("https://example.com/orders/{id}")])
        def order_placed() -> None: ...

    Options:
        name: Name of the observer. Default: the name of the function.
        entity: The type whose changes are observed: its class, the result of ``type()``, or its name.
        event: Observed event: ``INSERT``, ``UPDATE``, ``DELETE``, or the name of a mutation.
        condition: The actions run only if this condition on the fields of the changed row holds:
            ``"status.changed() and total > 100"``.
        actions: Actions: results of ``webhook``, ``email`` and ``chat``.
        retry: Attempts and the delay between them.
        sync: ``True``: the response to the client waits for the actions. An action cannot undo the write, which is
            already committed.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    raise NotImplementedError


@_run_by(lambda given, options: declare_hierarchy(given, options))
def hierarchy(
    name: str,
    *,
    type: Named,
    path: str | None = None,
    id: str | None = None,
) -> None:
    """Declares a type whose rows form a tree by their paths. Fields of ``svc.LTree`` name it in ``hierarchy``.

    Example::

        svc.hierarchy("categories", type=Category)

    Options:
        type: The type whose rows have paths: its class or its name.
        path: The ``LTree`` field of the type that contains the path of a row in the tree. Default: the only
            ``LTree`` field.
        id: The field of the type whose value clients send to name a row. Default ``id``.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    raise NotImplementedError


@_run_by(lambda given, options: make_options(FieldOptions, "field", given, options))
def field(
    *,
    name: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    default: object = UNSET,
    requires_scope: str | None = None,
    requires_role: str | Sequence[str] | None = None,
    on_deny: Literal["mask", "reject"] | None = None,
    filterable: bool | None = None,
    orderable: bool | None = None,
    computed: bool | None = None,
    searchable: bool | None = None,
    filter_type: str | None = None,
    filter_operators: Sequence[str] | None = None,
    hierarchy: str | None = None,
    vector_config: VectorConfig | None = None,
    column: str | None = None,
    relation: Relation | None = None,
    authorize: str | None = None,
    external: bool | None = None,
    shareable: bool | None = None,
    inaccessible: bool | None = None,
    tags: Sequence[str] | None = None,
    override: str | None = None,
    override_label: str | None = None,
    provides: str | None = None,
    requires: str | None = None,
    sql: str | None = None,
    extra: Mapping[str, object] | None = None,
    validate: RuleSource | None = None,
) -> FieldOptions:
    """Options of a field of a type, an interface or an input, in ``Annotated``.

    Example::

        email: Annotated[svc.Email, svc.field(requires_scope="read:email")]

    Options:
        name: Name in the schema, if it is a keyword of Python: ``from``. Default: the declared name.
        description: Shown in the schema and the documentation.
        deprecated: Reason for the deprecation, which clients see. Name the replacement in it.
        default: Default value of an input field, which a client may then omit.
        requires_scope: Scope that a caller needs to read the field. Separate several scopes by spaces; the caller
            needs all of them.
        requires_role: Role that a caller needs to read the field. Of a list, the caller needs one role.
        on_deny: Result for a caller that may not read the field: the field is null (``mask``, the default), or the
            operation fails (``reject``).
        filterable: ``False`` excludes the field from the filter argument ``where``. Default ``True``.
        orderable: ``False`` excludes the field from the sort argument ``order_by``. Default ``True``.
        computed: ``True``: the field has no column, because its value does not come from the database.
        searchable: ``True``: the argument ``search`` of list queries searches the text of this field.
        filter_type: Name of the input type for filters on this field, in place of the one that svc derives from the
            field's type.
        filter_operators: Filter operators that clients may use on the field, such as ``["_eq", "_in"]``. Default:
            all operators of its type.
        hierarchy: Name of the ``hierarchy()`` that the paths of this ``LTree`` field belong to. Clients can then
            filter the paths by ids of rows of the hierarchy.
        vector_config: Options of a vector field: the number of dimensions (or bits) of each value, and the distance
            function that filters use.
        column: Column of the type's view or table. Default: the name of the field in snake_case.
        relation: Columns that join the rows of this type (``from``) to the rows of the field's type (``to``). For a
            composite key, both are lists in the same order. ``through`` names the join table of a many-to-many
            relation: its column ``from`` has the values of the relation's ``from``, and its column ``to`` those of
            the relation's ``to``.
        authorize: Name of the policy in ``[[security.policies]]`` that allows or denies reading the field.
        external: Another subgraph owns the field. It is read here only in a key, for ``provides``, or with a
            ``column``.
        shareable: Other subgraphs may resolve it too.
        inaccessible: ``True``: routers hide it from clients.
        tags: Tags for contracts (variants of the supergraph).
        override: Name of the subgraph from which this service takes the field over.
        override_label: With ``override``: the share of requests, ``percent(25)``, or a label that routers evaluate.
        provides: External fields of the referenced object that are resolved here on this path: ``"name"``.
        requires: External fields of its own type that it is computed from: ``"price weight"``. Needs ``sql``.
        sql: SQL expression that computes the field from columns of the type's view or table. ``{name}`` stands for
            a field that the option ``requires`` lists.
        extra: Keys of plugins for this field that have no option of their own, spelled as in ``schema.json``:
            ``{"label": "Customer"}``.
        validate: Validation rules for values that clients send, in inputs and arguments. Fields of output types are
            not validated.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    raise NotImplementedError


@_run_by(lambda given, options: make_options(ArgumentOptions, "argument", given, options))
def argument(
    *,
    name: str | None = None,
    description: str | None = None,
    deprecated: str | None = None,
    default: object = UNSET,
    validate: RuleSource | None = None,
    full_text: str | FullText | None = None,
) -> ArgumentOptions:
    """Options of an argument of a query, a mutation or a subscription, in ``Annotated``.

    Example::

        def posts(words: Annotated[str | None, svc.argument(full_text="search")] = None) -> list[Post]: ...

    Options:
        name: Name in the schema, if it is a keyword of Python: ``from``. Default: the declared name.
        description: Shown in the schema and the documentation.
        deprecated: Deprecation reason, with a replacement.
        default: Makes the argument optional for the client. ``None`` is the default null.
        validate: Validation rules for its value, checked before any SQL runs.
        full_text: For a query: search a ``tsvector`` column for the value, instead of comparing a field with it.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    raise NotImplementedError


@_run_by(lambda given, options: make_enum_value(given, options))
def enum_value(
    value: str | None = None,
    *,
    description: str | None = None,
    deprecated: str | None = None,
) -> Any:
    """A value of an enum with options.

    Example::

        DONE = svc.enum_value("done", deprecated="Use DRAFT")

    Options:
        description: Description in the schema.
        deprecated: Deprecation reason, with a replacement.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    raise NotImplementedError


@overload
def validate(rule: Rule, /, *more: Rule) -> Validation: ...
@overload
def validate(
    *,
    required: bool | None = None,
    pattern: str | re.Pattern[str] | Mapping[str, object] | None = None,
    length: Mapping[str, int] | None = None,
    min_length: int | None = None,
    max_length: int | None = None,
    range: Mapping[str, float] | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    enum: Sequence[str] | None = None,
    checksum: Literal["luhn", "mod97"] | None = None,
    custom: str | None = None,
    cross_field: Mapping[str, str] | None = None,
    conditional: Mapping[str, object] | None = None,
    one_of: Sequence[str] | None = None,
    any_of: Sequence[str] | None = None,
    conditional_required: Mapping[str, object] | None = None,
    required_if_absent: Mapping[str, object] | None = None,
    all: Sequence[Rule] | None = None,
    any: Sequence[Rule] | None = None,
    message: str | None = None,
) -> Validation: ...
def validate(*given: Any, **options: Any) -> Any:
    """Rules that a value of a client must pass before any SQL runs: in ``Annotated``, or in the option ``validate``.

    Example::

        name: Annotated[str, svc.validate(min_length=3, message="At least three letters")]
        email: Annotated[str | None, svc.validate("required")]

    Options:
        required: The value must be present, and not null.
        pattern: A regular expression that a text must match; a dict has ``pattern`` and ``message``.
        length: Limits on the characters of a text, or the items of a list: ``{"min": 1, "max": 9}``.
        min_length: Least length.
        max_length: Greatest length.
        range: Limits of a number: ``{"min": 1, "max": 9}``.
        minimum: Least value.
        maximum: Greatest value.
        enum: The allowed texts.
        checksum: ``luhn`` for card numbers, ``mod97`` for IBANs.
        custom: Name of a validator that ``svc.author_function`` declares.
        cross_field: Comparison with another field: ``{"field": "start", "operator": "gt"}``.
        conditional: Rules that hold if a condition is true: ``{"condition": "country == 'US'", "then_rules":
            svc.validate(…)}``.
        one_of: Fields or arguments of which exactly one must be present.
        any_of: Fields or arguments of which at least one must be present.
        conditional_required: Fields that another one requires: ``{"if_field_present": "a", "then_required":
            ["b"]}``.
        required_if_absent: Fields that the absence of another one requires: ``{"absent_field": "a",
            "then_required": ["b"]}``.
        all: Rules that must all pass. Each failed rule is reported.
        any: Rules of which at least one must pass.
        message: Error message that replaces the default message.

    An unknown option or a wrong value is reported by ``svc.export()``, with file, line and the nearest name,
    together with all other errors.
    """
    return make_rules(given, _given(**options))
