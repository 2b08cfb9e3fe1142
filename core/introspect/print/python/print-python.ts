import type { AuthoredSchema } from '../../../schema/authored.ts'
import { declarationsOf } from '../declarations.ts'
import { type PrintedFile, type PrintOptions, planFiles, topLevelKeys } from '../plan-files.ts'
import type { Declarations } from '../scope.ts'
import type { TypeGroup } from '../split-types.ts'
import {
  printPythonClass,
  printPythonEnum,
  printPythonHierarchy,
  printPythonScalar,
  printPythonUnion,
} from './print-python-elements.ts'
import { printPythonOperations } from './print-python-operations.ts'
import { printPythonValue } from './python-code.ts'
import { BUILTIN_NAMES, PYTHON_KEYWORDS, TAKEN_PYTHON_NAMES } from './python-names.ts'
import { moduleOf, PythonScope } from './python-scope.ts'

const INDEX = 'schema.py'
/** Package with the files of a schema in several files. It cannot be `schema`, which is the name of the module. */
const FOLDER = 'schema_parts'

/**
 * Prints a schema as Python modules with decorators of the package `svc`. Running `schema.py` gives the same schema
 * again, apart from `$schema`, `version` and empty lists of arguments.
 * @throws SvcError SVC_USAGE: the schema has a part that cannot be printed, such as a function of the author
 */
export function printPython(schema: AuthoredSchema, options: PrintOptions = {}): readonly PrintedFile[] {
  const { groups, all, isSplit } = plan(schema, options.split)
  const scope = new PythonScope(all, INDEX)
  const files = isSplit ? printFiles(schema, groups, (path) => new PythonScope(all, path)) : []
  const parts = isSplit ? [] : printAll(scope, schema)
  const identifiers = new Set([...TAKEN_PYTHON_NAMES, ...all.identifierOf.values()])
  const last = [...printRest(scope, schema), ...printPythonOperations(scope, schema, identifiers), 'svc.export()']
  // The first import of a file decides when it runs, and with that the order of the elements.
  const imports = files.map(({ path }) => `import ${moduleOf(path)}`).join('\n')
  const head = scope.printImports().replace('import svc', imports === '' ? 'import svc' : `import svc\n\n${imports}`)
  return [{ path: INDEX, text: join([head, ...parts, ...last]) }, ...files]
}

/**
 * Plans files and identifiers. There is one file if a class cannot have the name of its type, or has that of a built-in
 * name, because annotations in other files would not find it.
 */
function plan(
  schema: AuthoredSchema,
  split: boolean | undefined,
): { readonly groups: readonly TypeGroup[]; readonly all: Declarations; readonly isSplit: boolean } {
  const { isSplit, groups, fileOf } = planFiles(schema, split, pathOf)
  const all = declarationsOf(schema, fileOf, INDEX, TAKEN_PYTHON_NAMES)
  const isHidden = ([name, identifier]: readonly [string, string]) => name !== identifier || BUILTIN_NAMES.has(name)
  if (isSplit && [...all.identifierOf].some(isHidden)) return plan(schema, false)
  return { groups, all, isSplit }
}

function pathOf(name: string | null): string {
  if (name === null) return INDEX
  const module = name.replaceAll('-', '_').replace(/^(?=\d)/, '_')
  return `${FOLDER}/${PYTHON_KEYWORDS.has(module) ? `${module}_` : module}.py`
}

function printAll(scope: PythonScope, schema: AuthoredSchema): readonly string[] {
  return [
    ...printValues(scope, schema),
    ...(schema.interfaces ?? []).map((one) => printPythonClass(scope, 'interface', one)),
    ...(schema.types ?? []).map((one) => printPythonClass(scope, 'type', one)),
    ...(schema.unions ?? []).map((one) => printPythonUnion(scope, one)),
    ...(schema.input_types ?? []).map((one) => printPythonClass(scope, 'input', one)),
  ]
}

function printValues(scope: PythonScope, schema: AuthoredSchema): readonly string[] {
  return [
    ...(schema.custom_scalars ?? []).map((one) => printPythonScalar(scope, one)),
    ...(schema.enums ?? []).map((one) => printPythonEnum(scope, one)),
  ]
}

function printRest(scope: PythonScope, schema: AuthoredSchema): readonly string[] {
  const keys = topLevelKeys(schema)
  return [
    ...(schema.hierarchies ?? []).map((one) => printPythonHierarchy(scope, one)),
    ...(Object.keys(keys).length === 0 ? [] : [`svc.schema_keys(${printPythonValue(keys)})`]),
  ]
}

function printFiles(
  schema: AuthoredSchema,
  groups: readonly TypeGroup[],
  open: (path: string) => PythonScope,
): readonly PrintedFile[] {
  const file = (name: string, print: (scope: PythonScope) => readonly string[]): readonly PrintedFile[] => {
    const scope = open(pathOf(name))
    const parts = print(scope)
    return parts.length === 0 ? [] : [{ path: scope.file, text: join([scope.printImports(), ...parts]) }]
  }
  return [
    ...file('values', (scope) => printValues(scope, schema)),
    ...file('interfaces', (scope) => (schema.interfaces ?? []).map((one) => printPythonClass(scope, 'interface', one))),
    ...groups.flatMap(({ name, types }) =>
      file(name, (scope) => types.map((one) => printPythonClass(scope, 'type', one))),
    ),
    ...file('unions', (scope) => (schema.unions ?? []).map((one) => printPythonUnion(scope, one))),
    ...file('inputs', (scope) => (schema.input_types ?? []).map((one) => printPythonClass(scope, 'input', one))),
  ]
}

function join(parts: readonly string[]): string {
  return `${parts.filter((part) => part !== '').join('\n\n\n')}\n`
}
