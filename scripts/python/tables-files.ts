import { readFileSync } from 'node:fs'
import { OPTION_TABLES } from '../../core/authoring/option-tables.ts'
import { RULE_KEYS } from '../../core/authoring/rules.ts'
import { SCHEMA_JSON_SCHEMA } from '../../core/compiler/write-schema-json.ts'
import { AUTHORED_VERSION } from '../../core/schema/authored-version.ts'
import { COLLECTIONS } from '../../core/schema/collections.ts'
import { findScalar, SCALAR_NAMES } from '../../core/schema/scalars.ts'
import type { Page } from '../docs/page.ts'
import { printRules } from './python-form.ts'
import { wrap } from './python-text.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

const generated = (what: string): string =>
  `"""${what}. Generated from core/authoring by \`npm run docs\`. Do not edit."""\n\nfrom __future__ import annotations\n`

const texts = (values: Iterable<string>): string => [...values].map((one) => `    "${one}",\n`).join('')

/** python/svc/_names.py: names and versions that core has, too. */
export function renderNamesFile(): Page {
  const content = `${generated('Names of the schema language')}
VERSION = "${version}"
"""Version of the package, which is that of the server."""

AUTHORED_VERSION = "${AUTHORED_VERSION}"
SCHEMA_JSON_SCHEMA = "${SCHEMA_JSON_SCHEMA}"

COLLECTIONS = (
${texts([...COLLECTIONS, 'hierarchies', 'author_functions'])})
"""The order of the arrays in schema.json."""

RULE_KEYS = (
${texts(Object.values(RULE_KEYS))})
"""The validation rules."""

SCALAR_NAMES = (
${texts(SCALAR_NAMES)})
"""The built-in scalars."""
`
  return { path: 'python/svc/_names.py', content }
}

/** python/svc/_options.py: the options of each element. */
export function renderOptionsFile(): Page {
  const tables = Object.entries(OPTION_TABLES).map(
    ([name, rules]) => `    "${name}": {\n        ${printRules(rules, ',\n        ')},\n    },\n`,
  )
  const content = `${generated('The options of each element, in the order of schema.json')}
from collections.abc import Mapping

from ._forms import (
    ACTIONS,
    APART,
    CHANGES,
    CLAIMS,
    COUNT,
    ENTITY,
    EXTRA,
    FLAG,
    HIDDEN,
    INTERFACES,
    JSON,
    RULES,
    SCALAR,
    TEXT,
    TEXT_OR_TEXTS,
    TEXTS,
    Rule,
    either,
    list_of,
    one_of,
    record,
)

TABLES: Mapping[str, Mapping[str, Rule]] = {
${tables.join('')}}
`
  return { path: 'python/svc/_options.py', content }
}

/** Types in Python of the scalars whose values are not texts. */
const TYPES: Readonly<Record<string, string>> = {
  Int: 'int',
  Float: 'float',
  Boolean: 'bool',
  BigInt: 'int',
  Decimal: 'decimal.Decimal',
  DateTime: 'datetime.datetime',
  Date: 'datetime.date',
  Time: 'datetime.time',
  UUID: 'uuid.UUID',
  JSON: 'Any',
}

function typeOf(name: string): string {
  const wire = findScalar(name)?.wire
  return TYPES[name] ?? (wire === 'number' ? 'float' : wire === 'json' ? 'Any' : 'str')
}

/** python/svc/_scalars.py: the built-in scalars, for annotations. */
export function renderScalarsFile(): Page {
  const aliases = SCALAR_NAMES.map((name) => {
    const doc = wrap(
      (findScalar(name)?.description ?? '').replaceAll('\\', '\\\\').replace(/`([^`]+)`/g, '``$1``'),
      '',
      '"""',
    )
    return `${name}: TypeAlias = Annotated[${typeOf(name)}, Brand("scalar", "${name}", is_builtin=True)]\n${doc}"""\n`
  })
  const content = `${generated('The built-in scalars, for annotations')}
import datetime
import decimal
import uuid
from typing import Annotated, Any, TypeAlias

from ._brand import Brand

${aliases.join('')}`
  return { path: 'python/svc/_scalars.py', content }
}
