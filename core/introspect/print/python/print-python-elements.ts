import type {
  AuthoredEnum,
  AuthoredField,
  AuthoredHierarchy,
  AuthoredInputField,
  AuthoredScalar,
  AuthoredUnion,
} from '../../../schema/authored.ts'
import { findScalar } from '../../../schema/scalars.ts'
import {
  ENUM_KEYS,
  ENUM_VALUE_KEYS,
  FIELD_KEYS,
  HIERARCHY_KEYS,
  INPUT_FIELD_KEYS,
  INPUT_KEYS,
  INTERFACE_KEYS,
  type OptionKeys,
  printOptions,
  SCALAR_KEYS,
  TYPE_KEYS,
  UNION_KEYS,
} from '../print-options.ts'
import type { Entry } from '../syntax.ts'
import { unprintable } from '../unprintable.ts'
import { PYTHON, printAnnotated, printDecorator, printPythonCall, printPythonText } from './python-code.ts'
import { PYTHON_KEYWORDS, USED_NAMES } from './python-names.ts'
import type { PythonScope } from './python-scope.ts'

/** Returns the source of an enum: `class Status(enum.Enum)` with `DRAFT = "draft"`. */
export function printPythonEnum(scope: PythonScope, element: AuthoredEnum): string {
  const subject = `The enum ${element.name}`
  if (element.values.length === 0) throw unprintable(subject, 'it has no values')
  const values = element.values.map(({ name, ...options }): Entry => {
    const entries = printOptions(PYTHON, options, ENUM_VALUE_KEYS, `${subject}, value ${name},`, false)
    const [only, ...others] = entries
    if (only === undefined) return [name, printPythonText(name)]
    const isPlain = others.length === 0 && only[0] === 'value' && options.value !== name
    return [name, isPlain ? only[1] : printValueCall(entries)]
  })
  const identifier = scope.identifierOf(element.name)!
  const decorator = printDecorator(
    'enum',
    named(scope, element.name, printOptions(PYTHON, element, ENUM_KEYS, subject, false)),
  )
  if (element.values.every(({ name }) => canBeMember(name))) {
    const body = values.map(([name, code]) => `    ${name} = ${code}\n`).join('')
    return `${decorator}\nclass ${identifier}(${scope.use('enum')}.Enum):\n${body}`.trimEnd()
  }
  // The class statement cannot have all names of values.
  const hidden = element.values.find(({ name }) => name.startsWith('_'))
  if (hidden !== undefined) throw unprintable(`${subject}, value ${hidden.name},`, 'the name begins with _')
  const entries = values.map(([name, code]) => `    ${printPythonText(name)}: ${code},\n`).join('')
  const options = printOptions(PYTHON, element, ENUM_KEYS, subject, false)
  const call = printPythonCall('svc.enum', [], [['name', printPythonText(element.name)], ...options])
  return `${identifier} = ${call}(type(${printPythonText(identifier)}, (), {\n${entries}}))`
}

function printValueCall(entries: readonly Entry[]): string {
  const value = entries.filter(([name]) => name === 'value').map(([, code]) => code)
  return printPythonCall(
    'svc.enum_value',
    value,
    entries.filter(([name]) => name !== 'value'),
    '    ',
    20,
  )
}

function canBeMember(name: string): boolean {
  return !PYTHON_KEYWORDS.has(name) && name !== 'mro' && !name.startsWith('_')
}

/** Returns the source of a custom scalar. Its functions cannot be printed, because they are in a module of the author. */
export function printPythonScalar(scope: PythonScope, element: AuthoredScalar): string {
  const { name, base_type: base } = element
  const subject = `The scalar ${name}`
  if (element.module !== undefined || element.export !== undefined)
    throw unprintable(subject, 'its functions are in a module of the author')
  const options = printOptions(PYTHON, element, SCALAR_KEYS, subject, false)
  if (base !== undefined) {
    if (findScalar(base) === undefined || scope.identifierOf(base) !== undefined)
      throw unprintable(subject, `${base} is no built-in scalar`)
    options.push(['base_type', `svc.${base}`])
  }
  return printEmptyClass(scope, 'scalar', name, options)
}

/** Returns the source of a union. */
export function printPythonUnion(scope: PythonScope, element: AuthoredUnion): string {
  const subject = `The union ${element.name}`
  const members = element.members.map((member) => scope.printName(member, subject))
  const options = printOptions(PYTHON, element, UNION_KEYS, subject, false)
  return printEmptyClass(scope, 'union', element.name, [['members', `[${members.join(', ')}]`], ...options])
}

function printEmptyClass(scope: PythonScope, word: string, name: string, options: readonly Entry[]): string {
  const source = `${printDecorator(word, named(scope, name, options))}\nclass ${scope.identifierOf(name)}: ...`
  scope.declare(name)
  return source
}

/** Adds the option `name` if the class has another one. */
function named(scope: PythonScope, name: string, options: readonly Entry[]): readonly Entry[] {
  return scope.identifierOf(name) === name ? options : [['name', printPythonText(name)], ...options]
}

/** Returns the source that declares a hierarchy. */
export function printPythonHierarchy(scope: PythonScope, element: AuthoredHierarchy): string {
  const subject = `The hierarchy ${element.name}`
  const options = printOptions(PYTHON, element, HIERARCHY_KEYS, subject, false)
  const type: Entry = ['type', scope.printName(element.type, subject)]
  return printPythonCall('svc.hierarchy', [printPythonText(element.name)], [type, ...options])
}

/** Option tables of the elements with fields, by the decorator that declares them. */
const FORMS = {
  type: { keys: TYPE_KEYS, fields: FIELD_KEYS },
  interface: { keys: INTERFACE_KEYS, fields: FIELD_KEYS },
  input: { keys: INPUT_KEYS, fields: INPUT_FIELD_KEYS },
} as const satisfies Readonly<Record<string, { readonly keys: OptionKeys; readonly fields: OptionKeys }>>

interface WithFields {
  readonly name: string
  readonly fields: readonly (AuthoredField | AuthoredInputField)[]
}

/** Returns the source of a type, interface or input, with its fields: a class. */
export function printPythonClass(scope: PythonScope, word: keyof typeof FORMS, element: WithFields): string {
  const subject = `The ${word} ${element.name}`
  const { keys, fields } = FORMS[word]
  const options = named(scope, element.name, printOptions(PYTHON, element, keys, subject, word === 'type'))
  scope.declare(element.name)
  const names = new Set(element.fields.map(({ name }) => name))
  const members = element.fields.map((field) => {
    const own = `${subject}, field ${field.name},`
    const name = freeName(field.name, new Set([...PYTHON_KEYWORDS, ...USED_NAMES]), names)
    const renamed: readonly Entry[] = name === field.name ? [] : [['name', printPythonText(field.name)]]
    return printMember(scope, name, scope.printType(field.type, own), [
      ...renamed,
      ...printOptions(PYTHON, field, fields, own),
    ])
  })
  const head = `${printDecorator(word, options)}\nclass ${scope.identifierOf(element.name)}:`
  return members.length === 0
    ? `${head} ...`
    : `${head}\n${members.map((member) => `    ${member}\n`).join('')}`.trimEnd()
}

function printMember(scope: PythonScope, name: string, type: string, options: readonly Entry[]): string {
  if (options.length === 0) return `${name}: ${type}`
  scope.use('Annotated')
  return `${name}: ${printAnnotated(type, 'svc.field', options, `    ${name}: `)}`
}

/** Returns a name that is not reserved: the wanted one, or that with `_` behind it. */
export function freeName(wanted: string, reserved: ReadonlySet<string>, others: ReadonlySet<string>): string {
  let name = wanted
  while (reserved.has(name) || (name !== wanted && others.has(name))) name = `${name}_`
  return name
}
