import type { Mutant } from './mutant.ts'

const CONDITIONS = ['test/core/engine/execute/document-conditions.test.ts']
const AGGREGATES = ['test/core/engine/execute/document-aggregates.test.ts']
const COLUMNS = ['test/plugins/sqlite/unreadable-columns.test.ts']
const TYPES = ['test/core/engine/execute/unknown-types.test.ts']
const CASTS = ['test/core/dialects/postgres/read-casts.test.ts']
const PATTERNS = ['test/core/dialects/postgres/time-patterns.test.ts']

/** Stored values that their fields cannot show: in conditions, orders, aggregates, and as objects of an unknown type. */
export const HELD_VALUES: readonly Mutant[] = [
  {
    fault: 'A text that is no number fails a filter by a key of a document',
    file: 'core/dialects/postgres/primitives/cast-document.ts',
    find: 'if (pattern === undefined || isProven(value, type))',
    replace: 'if (true)',
    tests: CONDITIONS,
  },
  {
    fault: 'An Int of a document may be a number with a fraction',
    file: 'core/dialects/postgres/primitives/cast-document.ts',
    find: ' && @.floor() == @',
    replace: '',
    tests: CONDITIONS,
  },
  {
    fault: 'An item of a list in a document fails the filter',
    file: 'core/dialects/postgres/primitives/comparable.ts',
    find: "const item = castDocument({ from: 'document', json: sql`e.v`, text: sql`(e.v #>> '{}')`, jsonb }, element)",
    replace: "const item = cast(sql`(e.v #>> '{}')`, element)",
    tests: CONDITIONS,
  },
  {
    fault: 'A key of a document that is no key fails the relation',
    file: 'core/dialects/walker/condition.ts',
    find: 'dialect.documentKey(own, type)',
    replace: 'dialect.cast(own.text, type)',
    tests: CONDITIONS,
  },
  {
    fault: 'On SQLite a text is taken for 0',
    file: 'plugins/sqlite/dialect/forms.ts',
    find: "if (isShort)\n        return sql`CASE WHEN ${type} IN ('integer', 'real') AND",
    replace: 'if (isShort)\n        return sql`CASE WHEN',
    tests: CONDITIONS,
  },
  {
    fault: 'On SQLite a value that is not shown is added',
    file: 'plugins/sqlite/dialect/aggregate.ts',
    find: 'CASE WHEN ${compared} IS NOT NULL THEN ${own} END',
    replace: '${own}',
    tests: AGGREGATES,
  },
  {
    fault: 'A time in a column of SQLite that is none fails the list',
    file: 'plugins/sqlite/child/sql-functions.ts',
    find: '  } catch {\n    return `?${String(value)}`',
    replace: '  } catch (error) {\n    throw error',
    tests: COLUMNS,
  },
  {
    fault: 'An object of an unknown type is null without an error',
    file: 'core/dialects/walker/shape.ts',
    find: '${cases} ELSE ${dialect.textAsJson(unknown)} END',
    replace: '${cases} END',
    tests: TYPES,
  },
  {
    fault: 'An object of an unknown type in the result of a function is null without an error',
    file: 'core/dialects/result-rows/project-held.ts',
    find: 'return JSON.stringify(UNKNOWN_TYPE + name)',
    replace: "return 'null'",
    tests: TYPES,
  },
  {
    fault: 'A partial index proves casts of all rows',
    file: 'core/dialects/postgres/catalog/read-casts.ts',
    find: ' AND i.indpred IS NULL AND',
    replace: ' AND',
    tests: CASTS,
  },
  {
    fault: 'An index of a parent table proves casts of rows of its child',
    file: 'core/dialects/postgres/catalog/read-casts.ts',
    find: "c.relkind = 'r' AND NOT c.relhassubclass",
    replace: "c.relkind = 'r'",
    tests: CASTS,
  },
  {
    fault: 'Rounding moves a time of the last year out of the range',
    file: 'core/dialects/postgres/primitives/time-patterns.ts',
    find: '(?:\\.\\d{1,6})?)?(?:[Zz]|[+-]00',
    replace: '(?:\\.\\d{1,9})?)?(?:[Zz]|[+-]00',
    tests: PATTERNS,
  },
  {
    fault: 'On MariaDB a text is taken for the number that it begins with',
    file: 'plugins/mysql/dialect/shown-form.ts',
    find: 'when(NUMBERS, sql`${number} REGEXP ${NUMBER}`, shortNumber(number))',
    replace: 'shortNumber(text)',
    tests: CONDITIONS,
  },
  {
    fault: 'On MariaDB a key of a document that is too large for the column is the largest key',
    file: 'plugins/mysql/dialect/shown-form.ts',
    find: 'CASE WHEN ${number} BETWEEN -9223372036854775808 AND 9223372036854775807 THEN CAST(${number} AS SIGNED) END',
    replace: 'CAST(${number} AS SIGNED)',
    tests: CONDITIONS,
  },
  {
    fault: 'On MariaDB the result of a NULL and an empty list stays for other lists',
    file: 'plugins/mysql/dialect/members.ts',
    find: '(JSON_LENGTH(${parameterOf(list)}) = 0 OR ${value} NOT IN ${list})',
    replace: '${value} NOT IN ${list}',
    tests: ['test/plugins/mysql/filters.test.ts'],
  },
  {
    fault: 'On MariaDB items of lists have the character set of the database',
    file: 'plugins/mysql/dialect/json.ts',
    find: 'LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
    replace: 'LONGTEXT',
    tests: ['test/plugins/mysql/filters.test.ts'],
  },
  {
    fault: 'On MariaDB a row counts once per row of the join table in groups',
    file: 'core/dialects/walker/tied-rows.ts',
    find: 'SELECT DISTINCT ${',
    replace: 'SELECT ${',
    tests: ['test/core/engine/plan/join-tables.test.ts'],
  },
  {
    fault: 'A deep request uses up the memory of MariaDB',
    file: 'plugins/mysql/placeholders.ts',
    find: 'outer.cost += outer.inside',
    replace: 'outer.cost += select.cost + 1',
    tests: ['test/plugins/mysql/depth.test.ts'],
  },
  {
    fault: 'A session of another connection is killed',
    file: 'plugins/mysql/open-connection.ts',
    find: 'found === undefined || String(found) !== client',
    replace: 'false',
    tests: ['test/plugins/mysql/kill.test.ts'],
  },
  {
    fault: 'A module of svc that an author imports by its path is a second copy',
    file: 'core/base/util/module-hooks.ts',
    find: 'isOwn(href) ? href : ',
    replace: '',
    tests: ['test/core/base/util/module-hooks.test.ts'],
  },
]
