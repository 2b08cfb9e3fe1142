"""Every error names element, cause and remedy, and all errors are reported at once."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable
from typing import Annotated, Any, Generic, TypeVar

import pytest

import svc

T = TypeVar("T")
Faults = Callable[[], "list[str]"]


def test_options_of_a_type(faults: Faults) -> None:
    @svc.type(  # type: ignore[call-overload,untyped-decorator]
        sql_sorce="v_user",
        relay="yes",
        inject={"a": "b"},
        implements="Named",
        dataplane="rows",
        key=[],
        aggregate={"sumx": []},
        extra={"relay": 1},
        requires_role=[""],
    )
    class User:
        id: svc.ID

    found = faults()
    assert found[0].startswith(
        'type "User" has no option "sql_sorce". Did you mean "sql_source"? Options: name, description, sql_source,'
    )
    assert sorted(found[1:]) == sorted(
        [
            'option "relay" of type "User" wants True or False',
            'option "inject" of type "User" wants a dict like {"owner_id": "jwt:sub"}',
            'option "implements" of type "User" wants a list of interfaces: classes, or names',
            'option "dataplane" of type "User" wants one of graphql, arrow',
            'option "key" of type "User" wants a text or a list of texts',
            'option "aggregate" of type "User" wants True or False or a dict with group_by, count_distinct, sum, avg, '
            'min, max: it has no "sumx". Did you mean "sum"?',
            '"relay" in extra of type "User" is no key of a plugin: write it as the option "relay"',
            'option "requires_role" of type "User" wants a text or a list of texts',
        ]
    )


def test_options_by_the_names_of_older_samples(faults: Faults) -> None:
    @svc.query(cache_ttl_seconds=5)  # type: ignore[call-overload, untyped-decorator]
    def q() -> str: ...

    @svc.mutation(fn_name="fn_m")  # type: ignore[call-overload, untyped-decorator]
    def m() -> str: ...

    found = faults()
    assert 'query "q" has no option "cache_ttl_seconds". Did you mean "cache_ttl"?' in found[0]
    assert 'mutation "m" has no option "fn_name". Did you mean "sql_source"?' in found[1]


def test_options_of_fields(faults: Faults) -> None:
    @svc.type
    class User:
        a: Annotated[str, svc.field(colum="x")]  # type: ignore[call-arg]
        b: Annotated[str, svc.field(default=float("nan"))]
        c: Annotated[svc.Vector, svc.field(vector_config={"dimension": 2})]  # type: ignore[typeddict-unknown-key]
        d: Annotated[str, svc.field]
        e: Annotated[str, svc.validate(min_length=1)]
        f: int = None  # type: ignore[assignment]
        g: str = svc.field(column="x")  # type: ignore[assignment]
        h: Annotated[str, svc.argument(full_text="x")]
        i: Annotated[str, svc.field(column="a"), svc.field(column="b")]
        j: Annotated[int, svc.field(default=1)] = 2
        k: Annotated[str, svc.field(relation={"from": "a"})]  # type: ignore[typeddict-item]
        l: Annotated[str, svc.field(name=3)]  # type: ignore[arg-type]
        m = "x"
        n: Annotated[str, svc.field("x")]  # type: ignore[misc]

    found = "\n".join(faults())
    for message in [
        'field "User.a" has no option "colum". Did you mean "column"? Options: description, deprecated,',
        'option "default" of field "User.b" wants a value that JSON can say',
        'option "vector_config" of field "User.c" wants a dict with dimensions (a whole number), distance_metric '
        '(cosine, l2, l1, inner_product, hamming, jaccard), or both: it has no "dimension". Did you mean "dimensions"?',
        'field "User.d": svc.field stands without parentheses. Write svc.field(…)',
        'field "User.e" has no option "validate".',
        'field "User.f" has the default None, and its type may not be null. Write … | None',
        'field "User.g": options stand in its type: g: Annotated[…, svc.field(…)]',
        'field "User.h" takes no svc.argument(…). Write svc.field(…)',
        'field "User.i" has the option "column" twice. Drop one',
        'field "User.j" has two defaults. Drop one',
        'option "relation" of field "User.k" wants a dict with from, to, through',
        'option "name" of field "User.l" wants a text',
        '"m" of the class User has no type, so it is no field. Write m: str',
        "svc.field('x') has options by position. It takes them by name, beside the type",
    ]:
        assert message in found


def test_access(faults: Faults) -> None:
    @svc.type
    class User:
        a: Annotated[str, svc.role("b"), svc.field(requires_role="c")]
        b: Annotated[str, svc.authenticated()]
        c: Annotated[str, svc.role("a"), svc.role("b")]

    @svc.input
    class Want:
        d: Annotated[str, svc.requires_scope("x")]

    @svc.authenticated
    @svc.query(authenticated=True)
    def users() -> list[User]: ...

    @svc.role("a")
    @svc.role("b")
    @svc.query
    def others() -> list[User]: ...

    @svc.api_key_required
    def lonely() -> None: ...

    @svc.requires_scope("")
    @svc.query
    def scoped() -> list[User]: ...

    @svc.authenticated
    class Marked: ...

    assert sorted(faults()) == sorted(
        [
            '"a" has requires_role as svc.role and as option. Drop one',
            'field "User.b" takes no authenticated: it belongs on a query or mutation',
            'svc.role stands on "c" twice. Write it once',
            'input field "Want.d" takes no requires_scope: it belongs on a query or mutation',
            '"users" has authenticated as decorator and as option. Drop one',
            '@svc.role stands on "others" twice. Write it once',
            '@svc.api_key_required stands on "lonely", which has no @svc.query or @svc.mutation',
            '@svc.requires_scope wants one or more texts: @svc.requires_scope("…")',
            '@svc.authenticated stands on the class "Marked". It belongs on the function of a query or mutation',
        ]
    )


def test_operations(faults: Faults) -> None:
    @svc.type
    class User:
        id: svc.ID

    @svc.query
    def users(a, *rest: int, b: Annotated[int, svc.field()] = 1, **more: int): ...  # type: ignore[no-untyped-def]

    @svc.query("users")  # type: ignore[call-overload,untyped-decorator]
    def x() -> User: ...

    @svc.query(args={"id": svc.ID})  # type: ignore[call-overload,untyped-decorator]
    def y() -> list[Usr]: ...  # type: ignore[name-defined] # noqa: F821

    @svc.mutation(operation="create")  # type: ignore[call-overload,untyped-decorator]
    class Create: ...

    @svc.mutation(operation="create", rest_method="POSTS")  # type: ignore[call-overload,untyped-decorator]
    def create_user(name: "string", of: Annotated[str, svc.role("a")]) -> Annotated[User, svc.field()]: ...  # type: ignore[name-defined] # noqa: F821

    @svc.subscription(filter={"path": "a"}, operation=[])  # type: ignore[call-overload,untyped-decorator]
    def changed() -> User: ...

    @svc.arrow_query(auto_params={"total_count": True})
    def sales() -> list[User]: ...

    @svc.query(name="not a name")
    def z() -> User: ...

    found = "\n".join(faults())
    for message in [
        'query "users" has no result. Write it behind the function: def users() -> list[User]: ...',
        'argument "a" of query "users" has no type. Write a: svc.ID',
        'argument "rest" of query "users" is variable. Declare each argument by its name',
        'argument "more" of query "users" is variable',
        'argument "b" of query "users" takes no svc.field(…). Write svc.argument(…)',
        "@svc.query('users') has options by position. It takes them by name",
        'query "y" has no option "args". Options: description, deprecated, validate, sql_source,',
        'the result of query "y": type "Usr" is not declared. Did you mean "User"?',
        '@svc.mutation stands on the class "Create". It belongs on a function',
        'option "operation" of mutation "create_user" wants one of CREATE, UPDATE, DELETE, CUSTOM',
        'option "rest_method" of mutation "create_user" wants GET, POST, PUT, PATCH or DELETE',
        'argument "name" of mutation "create_user": type "string" is not declared. Write svc.String',
        'argument "of" of mutation "create_user" takes no svc.role(…). It belongs on the operation or on a field',
        'the result of mutation "create_user" takes no svc.field(…). Write options in the decorator',
        'option "filter" of subscription "changed" wants a text or a dict with path, operator, value or a dict with',
        'option "operation" of subscription "changed" wants "INSERT", "UPDATE", "DELETE", or a list of them',
        'option "auto_params" of arrow_query "sales" wants True or False or a dict with where, order_by, limit, offset',
        '"not a name" is not a name: letters, digits and _ only, no digit first, no "__" first',
    ]:
        assert message in found
    assert 'Options: description, deprecated, args' not in found


@pytest.mark.parametrize(
    ("rules", "problem"),
    [
        ("requird", '"requird" is no rule by itself, only "required" is.'),
        ([], "there is no rule in it."),
        ({}, "there is no rule in it."),
        (svc.validate(), "there is no rule in it."),
        ({"min_lenght": 1}, 'it has no "min_lenght". Did you mean "min_length"?'),
        ([{"minLength": 1}], 'it has no "minLength". Did you mean "min_length"?'),
        (re.compile("a"), "a regular expression stands under its name: svc.validate(pattern='a')."),
        (svc.validate(pattern=re.compile("a", re.IGNORECASE)), "the pattern 'a' is compiled with flags"),
        (svc.validate(pattern=""), "pattern wants a regular expression, as text or compiled by re.compile()."),
        ({"pattern": {"pattern": 3}}, "pattern wants a regular expression"),
        (svc.validate(custom=len), "custom is the Python function len, and the server, which runs validators"),  # type: ignore[call-overload]
        (svc.validate(custom=3), "custom wants the name of a validator"),  # type: ignore[call-overload]
        (svc.validate(all=["needed"]), '"needed" is no rule by itself'),  # type: ignore[list-item]
        ({"conditional": {"condition": "a", "then_rules": {"x": 1}}}, 'it has no "x".'),
        ({"minimum": float("nan")}, "minimum does not take this value."),
    ],
)
def test_rules(rules: Any, problem: str, faults: Faults) -> None:
    @svc.input
    class Want:
        a: Annotated[str, svc.field(validate=rules)]

    (message,) = faults()
    start = 'option "validate" of input field "Want.a" wants a rule or a list of rules: "required", or svc.validate(…)'
    assert message.startswith(start)
    assert problem in message


def test_functions_of_the_server_are_no_python(faults: Faults) -> None:
    @svc.middleware  # type: ignore[arg-type]
    def tenant(request: object, next: object) -> None: ...

    @svc.before_mutation("createUser")  # type: ignore[untyped-decorator]
    def quota(args: object, context: object) -> None: ...

    svc.after_mutation("createUser", module=quota, export="x")
    svc.author_function("validator", "even", module="./x.py")
    svc.middleware("./x.mjs")
    svc.before_mutation("")

    @svc.scalar(base_type=str, parse=len)  # type: ignore[call-overload,untyped-decorator]
    class Money:
        @staticmethod
        def serialize(value: object) -> str:
            return f"{value}"

    @svc.scalar(module="/abs/x.mjs")
    class Other: ...

    @svc.scalar(export="x")
    class Third: ...

    found = "\n".join(faults())
    for message in [
        "middleware: tenant is a Python function, and the server runs JavaScript. Write the function in a JavaScript "
        'module, and name that: svc.middleware("./middleware.mjs", export="tenant")',
        'before_mutation "createUser" has no module, and the server runs JavaScript.',
        'after_mutation "createUser": quota is a Python function, and the server runs JavaScript.',
        'option "module" of validator "even" wants a path relative to svc.toml that ends with .js, .mjs, .cjs, .ts, .mts, '
        "got './x.py'",
        'option "export" of middleware wants the name of the export: export="check"',
        "before_mutation wants the name of a mutation",
        'serialize of scalar "Money" is a Python function, and the server runs JavaScript.',
        'parse of scalar "Money" is a Python function',
        'option "base_type" of scalar "Money" wants a built-in scalar, svc.Decimal for example',
        "option \"module\" of scalar \"Other\" wants a path relative to svc.toml",
        'scalar "Third" has an export and no module',
    ]:
        assert message in found


def test_elements(faults: Faults) -> None:
    @svc.type
    def function() -> None: ...  # type: ignore[type-var]

    @svc.type("User")  # type: ignore[call-overload,untyped-decorator]
    class Positional: ...

    @svc.type
    class Page(Generic[T]):
        id: svc.ID

    @svc.type
    class Twice:
        id: svc.ID

    @svc.input(name="Twice")
    class Other:
        id: svc.ID

    @svc.enum
    class Empty: ...

    @svc.enum
    class Numbers(enum.Enum):
        ONE = 1
        TWO = svc.enum_value("two", deprecate="x")  # type: ignore[call-arg]

    @svc.union(members=[])
    class None_: ...

    @svc.union(members=["Nope", Numbers, "list[Twice]"])
    class Wrong: ...

    @svc.union  # type: ignore[arg-type, call-arg]
    class Bare: ...

    @svc.observer(entity="Nope", event="INSERT", actions="webhook")  # type: ignore[arg-type]
    def paid() -> None: ...

    @svc.observer(entity=Twice, event="", actions=[], retry=svc.RetryConfig(max_attempt=3))  # type: ignore[arg-type]
    def late() -> None: ...

    svc.hierarchy("tree", type="Nope")
    svc.hierarchy(type=Twice)  # type: ignore[call-arg]
    svc.hierarchy("paths")  # type: ignore[call-arg]
    svc.schema_keys({"a": {1}})
    svc.schema_keys({"b": 1})
    svc.schema_keys({"b": 2})

    found = "\n".join(faults())
    for message in [
        '@svc.type stands on the function "function". It belongs on a class',
        "@svc.type('User') has options by position. It takes them by name, on a class",
        'type "Page" is a generic class, and the schema has no generic types.',
        'type "Twice" is declared twice, first at ',
        'enum "Empty" has no values. Write DRAFT = "draft"',
        'value "ONE" of enum "Numbers" is no text: 1. Write ONE = "…", the value in SQL',
        'value "TWO" of enum "Numbers" has no option "deprecate". Did you mean "deprecated"?',
        'union "None_" has no members. Write members=[Artist, Album]',
        'member 1 of union "Wrong": type "Nope" is not declared.',
        'member 3 of union "Wrong" is [Twice!]!, not an object type',
        'union "Bare" has no members.',
        'entity of observer "paid": type "Nope" is not declared.',
        'option "actions" of observer "paid" wants a list of actions: webhook(), email(), chat()',
        'option "event" of observer "late" wants a text',
        'option "retry" of observer "late" wants a dict with max_attempts, backoff_strategy, initial_delay_ms, '
        'max_delay_ms: it has no "max_attempt". Did you mean "max_attempts"?',
        'hierarchy "tree": type "Nope" is not declared.',
        "svc.hierarchy() wants the name first",
        'hierarchy "paths" has no type: svc.hierarchy("paths", type=Category)',
        "svc.schema_keys() wants a dict that JSON can say",
        'svc.schema_keys() gives "b" a second time',
    ]:
        assert message in found


def test_a_text_enum_cannot_have_options() -> None:
    with pytest.raises(TypeError, match="Derive from enum.Enum instead of str or StrEnum"):

        class Status(str, enum.Enum):
            DRAFT = svc.enum_value("draft")
