import type {
  AuthoredEnum,
  AuthoredField,
  AuthoredHierarchy,
  AuthoredInputField,
  AuthoredScalar,
  AuthoredUnion,
} from '../../schema/authored.ts'
import { findScalar } from '../../schema/scalars.ts'
import { printCall, printKey, printLines, printMember, printObject, printText, TYPESCRIPT } from './code.ts'
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
} from './print-options.ts'
import type { Scope } from './scope.ts'
import type { Entry } from './syntax.ts'
import { unprintable } from './unprintable.ts'

/** Returns the source of an enum declaration: `export const Status = enum_('Status', { DRAFT: 'draft' })`. */
export function printEnum(scope: Scope, element: AuthoredEnum): string {
  const subject = `The enum ${element.name}`
  if (element.values.length === 0) throw unprintable(subject, 'it has no values')
  const values = element.values.map(({ name, ...options }): Entry => {
    const entries = printOptions(TYPESCRIPT, options, ENUM_VALUE_KEYS, `${subject}, value ${name},`, false)
    const [only, ...others] = entries
    if (only === undefined) return [name, printText(name)]
    const isPlain = others.length === 0 && only[0] === 'value' && options.value !== name
    return [name, isPlain ? only[1] : printObject(entries)]
  })
  const options = printOptions(TYPESCRIPT, element, ENUM_KEYS, subject, false)
  const head = `export const ${scope.identifierOf(element.name)} = ${scope.use('enum_')}`
  scope.declare(element.name)
  if (options.length === 0) return printCall(head, [printText(element.name)], values)
  return `${head}(${printText(element.name)}, ${printLines(values)}, ${printObject(options)})`
}

/**
 * Returns the source of a custom scalar's declaration. A scalar with conversion functions cannot be printed, because
 * the functions are in a module of the author.
 */
export function printScalar(scope: Scope, element: AuthoredScalar): string {
  const { name, base_type: base } = element
  const subject = `The scalar ${name}`
  if (element.module !== undefined || element.export !== undefined)
    throw unprintable(subject, 'its functions are in a module of the author')
  const options = printOptions(TYPESCRIPT, element, SCALAR_KEYS, subject, false)
  const head = `export const ${scope.identifierOf(name)} = ${scope.use('scalar')}`
  if (base !== undefined) {
    if (findScalar(base) === undefined || scope.identifierOf(base) !== undefined)
      throw unprintable(subject, `${base} is no built-in scalar`)
    options.push(['baseType', scope.use(base)])
  }
  scope.declare(name)
  return printCall(head, [printText(name)], options)
}

/**
 * Returns the source of a `union()` declaration. Types that are declared later or in other files are referred to by a
 * function.
 */
export function printUnion(scope: Scope, element: AuthoredUnion): string {
  const subject = `The union ${element.name}`
  const members = element.members.map((member) => scope.printName(member, subject))
  const list = `[${members.map(({ code }) => code).join(', ')}]`
  const source = members.some(({ isLate }) => isLate) ? `() => ${list}` : list
  const options = printOptions(TYPESCRIPT, element, UNION_KEYS, subject, false)
  const head = `export const ${scope.identifierOf(element.name)} = ${scope.use('union')}`
  scope.declare(element.name)
  return printCall(head, [printText(element.name), source], options)
}

/** Returns the source of a `hierarchy()` declaration. It is printed after the types, which it refers to. */
export function printHierarchy(scope: Scope, element: AuthoredHierarchy): string {
  const subject = `The hierarchy ${element.name}`
  const { code, isLate } = scope.printName(element.type, subject)
  const type: Entry = ['type', isLate ? `() => ${code}` : code]
  const options = printOptions(TYPESCRIPT, element, HIERARCHY_KEYS, subject, false)
  return printCall(scope.use('hierarchy'), [printText(element.name)], [type, ...options])
}

/** Words of the elements with fields. */
const FORMS = {
  type: { keys: TYPE_KEYS, fields: FIELD_KEYS },
  interface_: { keys: INTERFACE_KEYS, fields: FIELD_KEYS },
  input: { keys: INPUT_KEYS, fields: INPUT_FIELD_KEYS },
} as const satisfies Readonly<Record<string, { readonly keys: OptionKeys; readonly fields: OptionKeys }>>

interface WithFields {
  readonly name: string
  readonly fields: readonly (AuthoredField | AuthoredInputField)[]
}

/** Tests whether a type with these fields can be printed as a TypeScript class, or needs a call of `type()`. */
export function canBeClass({ fields }: WithFields): boolean {
  return !fields.some(({ name }) => name === 'constructor')
}

/**
 * Returns the source of a type, interface or input with its fields: as a class, or as a function call where a class
 * cannot have these fields.
 * @param word name of the authoring function: `type`, `interface_` or `input`
 */
export function printWithFields(scope: Scope, word: keyof typeof FORMS, element: WithFields): string {
  const { keys, fields: fieldKeys } = FORMS[word]
  const subject = `${word === 'input' ? 'The input' : word === 'type' ? 'The type' : 'The interface'} ${element.name}`
  const identifier = scope.identifierOf(element.name)!
  const options = printOptions(TYPESCRIPT, element, keys, subject, word === 'type')
  const isClass = canBeClass(element)
  scope.use(word)
  const fields = element.fields.map((field) => {
    const own = `${subject}, field ${field.name},`
    const fieldOptions = printOptions(TYPESCRIPT, field, fieldKeys, own)
    const source = scope.printType(field.type, own, !isClass)
    if (isClass) {
      const member = `${printKey(field.name)}!: ${scope.printProperty(field.type)}`
      return printMember(scope.use('field'), source, fieldOptions, member)
    }
    const code = fieldOptions.length === 0 ? source : printCall(scope.use('field'), [source], fieldOptions, '    ')
    return `    ${printKey(field.name)}: ${code},`
  })
  scope.declare(element.name)
  if (!isClass) {
    const head = options.map(([name, code]) => `  ${name}: ${code},\n`).join('')
    const call = `${word}(${printText(element.name)}, {\n${head}  fields: {\n${fields.join('\n')}\n  },\n})`
    return `export const ${identifier} = ${call}`
  }
  const named: readonly Entry[] = identifier === element.name ? [] : [['name', printText(element.name)]]
  const all = [...named, ...options]
  const body = fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n}`
  return `${all.length === 0 ? `@${word}` : `@${printCall(word, [], all)}`}\nexport class ${identifier} ${body}`
}
