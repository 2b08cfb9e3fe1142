import { OPTION_TABLES } from '../../core/authoring/option-tables.ts'
import type { OptionForm, OptionRules } from '../../core/authoring/options.ts'
import { toSnakeCase } from '../../core/base/util/naming.ts'
import type { Page } from '../docs/page.ts'
import { DECLARATIONS, type Declaration } from './declarations.ts'
import { optionDoc } from './option-docs.ts'
import { isPythonOption, pythonType } from './python-form.ts'
import { pythonText, wrap } from './python-text.ts'

/** An option of a function of the Python package. */
export interface PythonOption {
  readonly name: string
  readonly type: string
  readonly doc: string
  readonly isRequired: boolean
}

const TABLES: Readonly<Record<string, OptionRules>> = OPTION_TABLES

/** Returns the options of a function of the Python package, in the order of its tables. */
export function optionsOf(declaration: Declaration, records: Map<string, OptionForm>): readonly PythonOption[] {
  const { tables, own = [], required = [], positional = '' } = declaration
  const options = new Map<string, PythonOption>()
  const add = (name: string, type: string, doc: string): void => {
    options.set(name, { name, type, doc: pythonText(doc), isRequired: required.includes(name) })
  }
  for (const one of own) if (one.name === 'name') add(one.name, one.type, one.doc)
  for (const table of tables) {
    for (const [camel, rule] of Object.entries(TABLES[table] ?? {})) {
      const name = toSnakeCase(camel)
      if (options.has(name) || !isPythonOption(rule) || rule.form === 'arguments') continue
      if (positional.startsWith(`${name}:`)) continue
      add(
        name,
        pythonType(rule.form, records),
        name === 'name' ? 'Name in the schema. Default: the name of the class.' : optionDoc(table, camel),
      )
    }
  }
  for (const one of own) add(one.name, one.type, one.doc)
  return [...options.values()].map((one) =>
    one.name === 'description' && declaration.on !== 'options'
      ? { ...one, doc: `${one.doc} Default: the docstring.`.replace('.. Default', '. Default') }
      : one,
  )
}

const HEAD = `"""The decorators, with the options of each. Generated from core/authoring by \`npm run docs\`. Do not edit."""

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
"""Rules of the option \`\`validate\`\`: those of \`\`svc.validate(…)\`\`, a dict, or a list of them."""


def _run_by(run: Callable[[tuple[Any, ...], dict[str, Any]], Any]) -> Callable[[F], F]:
    """Replaces the body of a function, whose signature is for type checkers: wrong options are reported all at once."""

    def replace(declared: F) -> F:
        @functools.wraps(declared)
        def declare(*given: Any, **options: Any) -> Any:
            return run(given, _given(**options))

        return cast(F, declare)

    return replace

`

const ERRORS =
  'An unknown option or a wrong value is reported by `svc.export()`, with file, line and the nearest name, together with all other errors.'

/** python/svc/_decorators.py */
export function renderDecoratorsFile(): Page {
  const records = new Map<string, OptionForm>()
  const functions = DECLARATIONS.map((one) => printDeclaration(one, optionsOf(one, records)))
  const retry = printRetry(records)
  const content = [HEAD, ...printRecords(records), retry, ...functions, VALIDATE_HEAD, printValidate()].join('\n')
  return { path: 'python/svc/_decorators.py', content: `${content.replace(/\n{4,}/g, '\n\n\n').trimEnd()}\n` }
}

function printRecords(records: Map<string, OptionForm>): readonly string[] {
  const order: string[] = []
  const visit = (name: string): void => {
    if (order.includes(name)) return
    const form = records.get(name)
    if (typeof form !== 'object' || !('record' in form)) return
    for (const { form: inner } of Object.values(form.record))
      pythonType(inner, records)
        .match(/[A-Z]\w+/g)
        ?.forEach(visit)
    order.push(name)
  }
  for (const name of [...records.keys()]) visit(name)
  return order.map((name) => {
    const form = records.get(name) as { readonly record: OptionRules; readonly required: readonly string[] }
    const members = Object.entries(form.record).map(([key, rule]) => ({
      name: toSnakeCase(key),
      type: quoted(pythonType(rule.form, records)),
      isRequired: form.required.includes(key),
    }))
    const doc = `"""A dict with ${members.map((one) => `\`\`${one.name}\`\``).join(', ')}."""`
    const optional = members.filter(({ isRequired }) => !isRequired)
    const required = members.filter(({ isRequired }) => isRequired)
    if (optional.length === 0 || required.length === 0)
      return `${printTypedDict(name, members, optional.length === 0)}${doc}\n`
    // Python 3.10 has no Required, and a class cannot have a member such as `from`.
    const base = printTypedDict(`_${name}Keys`, required, true)
    return `${base}\n\nclass ${name}(_${name}Keys, total=False):\n    ${doc}\n\n${optional.map((one) => `    ${one.name}: ${one.type}\n`).join('')}\n`
  })
}

type Member = { readonly name: string; readonly type: string }

function printTypedDict(name: string, members: readonly Member[], isTotal: boolean): string {
  const keys = members.map((one) => `        "${one.name}": ${one.type},`).join('\n')
  return `${name} = TypedDict(\n    "${name}",\n    {\n${keys}\n    },${isTotal ? '' : '\n    total=False,'}\n)\n`
}

/** Quotes a type that Python would evaluate. */
const quoted = (type: string): string => type

function printRetry(records: Map<string, OptionForm>): string {
  const options = optionsOf(
    { name: 'RetryConfig', tables: ['retry'], on: 'options', returns: '', runs: '', summary: '', example: [] },
    records,
  )
  return `
class RetryConfig:
    """Attempts of an observer's actions, and the delay between them: \`\`retry=svc.RetryConfig(max_attempts=5)\`\`.

${printOptions(options, '    ')}
    """

    def __init__(
        self,
        *,
${options.map((one) => `        ${parameter(one)}`).join('\n')}
        **unknown: NoReturn,
    ) -> None:
        self.__svc_options__ = _given(
${options.map(({ name }) => `            ${name}=${name},`).join('\n')}
            **unknown,
        )
`
}

function parameter({ name, type, isRequired }: PythonOption): string {
  if (isRequired) return `${name}: ${type},`
  if (name === 'default') return `${name}: ${type} = UNSET,`
  return `${name}: ${type} | None = None,`
}

function printOptions(options: readonly PythonOption[], indent: string): string {
  const lines = options.map(({ name, doc }) => wrap(rst(doc), `${indent}        `, `${indent}    ${name}: `))
  return `${indent}Options:\n${lines.join('\n')}`
}

/** Writes code spans as docstrings do. */
const rst = (text: string): string => text.replace(/`([^`]+)`/g, '``$1``').replaceAll('\\', '\\\\')

function printDeclaration(declaration: Declaration, options: readonly PythonOption[]): string {
  const { name, on, returns, runs, summary, example, positional } = declaration
  const parameters = [
    ...(positional === undefined ? [] : [`    ${positional},`]),
    ...(options.length === 0 ? [] : ['    *,']),
    ...options.map((one) => `    ${parameter(one)}`),
  ].join('\n')
  const doc = `    """${wrap(rst(summary), '    ', '')}

    Example::

${example.map((line) => `        ${line}`).join('\n')}

${printOptions(options, '    ')}

${wrap(rst(ERRORS), '    ')}
    """`
  if (on === 'options') {
    return `
@_run_by(lambda given, options: ${runs})
def ${name}(
${parameters}
) -> ${returns}:
${doc}
    raise NotImplementedError
`
  }
  const [variable, first] = on === 'class' ? ['C', 'cls'] : ['F', 'function']
  return `
@overload
def ${name}(${first}: ${variable}, /) -> ${variable}: ...
@overload
def ${name}(
${parameters}
) -> ${returns}: ...
def ${name}(*given: Any, **options: Any) -> Any:
${doc}
    return ${runs.replace('options)', '_given(**options))')}
`
}

const VALIDATE_HEAD = ''

function printValidate(): string {
  const options = VALIDATE.map(([name, type, doc]) => ({ name, type, doc, isRequired: false }))
  const parameters = options.map((one) => `    ${parameter(one)}`).join('\n')
  return `
@overload
def validate(rule: Rule, /, *more: Rule) -> Validation: ...
@overload
def validate(
    *,
${parameters}
) -> Validation: ...
def validate(*given: Any, **options: Any) -> Any:
    """Rules that a value of a client must pass before any SQL runs: in \`\`Annotated\`\`, or in the option \`\`validate\`\`.

    Example::

        name: Annotated[str, svc.validate(min_length=3, message="At least three letters")]
        email: Annotated[str | None, svc.validate("required")]

${printOptions(options, '    ')}

${wrap(rst(ERRORS), '    ')}
    """
    return make_rules(given, _given(**options))
`
}

/** The rules, in the order of RULE_KEYS, which a test compares. */
export const VALIDATE: readonly (readonly [name: string, type: string, doc: string])[] = [
  ['required', 'bool', 'The value must be present, and not null.'],
  [
    'pattern',
    'str | re.Pattern[str] | Mapping[str, object]',
    'A regular expression that a text must match; a dict has `pattern` and `message`.',
  ],
  [
    'length',
    'Mapping[str, int]',
    'Limits on the characters of a text, or the items of a list: `{"min": 1, "max": 9}`.',
  ],
  ['min_length', 'int', 'Least length.'],
  ['max_length', 'int', 'Greatest length.'],
  ['range', 'Mapping[str, float]', 'Limits of a number: `{"min": 1, "max": 9}`.'],
  ['minimum', 'float', 'Least value.'],
  ['maximum', 'float', 'Greatest value.'],
  ['enum', 'Sequence[str]', 'The allowed texts.'],
  ['checksum', 'Literal["luhn", "mod97"]', '`luhn` for card numbers, `mod97` for IBANs.'],
  ['custom', 'str', 'Name of a validator that `svc.author_function` declares.'],
  ['cross_field', 'Mapping[str, str]', 'Comparison with another field: `{"field": "start", "operator": "gt"}`.'],
  [
    'conditional',
    'Mapping[str, object]',
    'Rules that hold if a condition is true: `{"condition": "country == \'US\'", "then_rules": svc.validate(…)}`.',
  ],
  ['one_of', 'Sequence[str]', 'Fields or arguments of which exactly one must be present.'],
  ['any_of', 'Sequence[str]', 'Fields or arguments of which at least one must be present.'],
  [
    'conditional_required',
    'Mapping[str, object]',
    'Fields that another one requires: `{"if_field_present": "a", "then_required": ["b"]}`.',
  ],
  [
    'required_if_absent',
    'Mapping[str, object]',
    'Fields that the absence of another one requires: `{"absent_field": "a", "then_required": ["b"]}`.',
  ],
  ['all', 'Sequence[Rule]', 'Rules that must all pass. Each failed rule is reported.'],
  ['any', 'Sequence[Rule]', 'Rules of which at least one must pass.'],
  ['message', 'str', 'Error message that replaces the default message.'],
]
