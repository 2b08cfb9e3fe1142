import { findScalar } from '../../../schema/scalars.ts'
import { parseTypeRef, type TypeRef } from '../../../schema/type-ref.ts'
import type { Declarations } from '../scope.ts'
import { unprintable } from '../unprintable.ts'
import { printPythonImport, printPythonText } from './python-code.ts'

/** Scalars that types of Python stand for. */
const PLAIN: Readonly<Record<string, string>> = { String: 'str', Int: 'int', Float: 'float', Boolean: 'bool' }

/** The names that one printed Python file uses, and its imports. */
export class PythonScope {
  readonly #all: Declarations
  readonly #declared = new Set<string>()
  readonly #used = new Set<'Annotated' | 'enum'>()
  readonly #others = new Map<string, Set<string>>()
  readonly file: string

  constructor(all: Declarations, file: string) {
    this.#all = all
    this.file = file
  }

  /** Imports a name of Python's library. */
  use(name: 'Annotated' | 'enum'): string {
    this.#used.add(name)
    return name
  }

  /** Records that the type is declared in this file, so that code below it can refer to its class. */
  declare(name: string): void {
    this.#declared.add(name)
  }

  /** Returns the identifier of a declared type; `undefined`: the schema does not declare it. */
  identifierOf(name: string): string | undefined {
    return this.#all.identifierOf.get(name)
  }

  /**
   * Returns the annotation of a type in GraphQL notation: `list[Post] | None`. Annotations are evaluated after all
   * modules have run, so that they can name types that are declared later, also in other files.
   * @param subject name of the element that has the type, for errors
   */
  printType(text: string, subject: string): string {
    const ref = parseTypeRef(text)
    if (ref === null) throw unprintable(subject, `"${text}" is no type in GraphQL notation`)
    return this.#printRef(ref, subject)
  }

  /** Returns a type as the value of an option: its class if that is declared above, else its name as a text. */
  printName(name: string, subject: string): string {
    const identifier = this.#all.identifierOf.get(name)
    if (identifier === undefined && findScalar(name) === undefined)
      throw unprintable(subject, `the schema declares no type ${name}`)
    return identifier !== undefined && this.#declared.has(name) ? identifier : printPythonText(name)
  }

  /** Returns the imports of the file, its first lines. */
  printImports(): string {
    const others = [...this.#others].map(([file, names]) => [moduleOf(file), [...names].sort()] as const).sort()
    const isIndex = this.file === this.#all.index
    const typing = [
      ...(this.#used.has('Annotated') ? ['Annotated'] : []),
      ...(others.length > 0 && !isIndex ? ['TYPE_CHECKING'] : []),
    ]
    const library = [
      ...(this.#used.has('enum') ? ['import enum'] : []),
      ...(typing.length === 0 ? [] : [printPythonImport('typing', typing.sort())]),
    ].join('\n')
    const types = isIndex
      ? others.map(([module, names]) => printPythonImport(module, names)).join('\n')
      : others.map(([module, names]) => printPythonImport(module, names, '    ')).join('\n')
    const checked = isIndex || types === '' ? types : `if TYPE_CHECKING:\n${types}`
    return ['from __future__ import annotations', library, 'import svc', checked]
      .filter((part) => part !== '')
      .join('\n\n')
  }

  #printRef(ref: TypeRef, subject: string): string {
    const code = ref.kind === 'list' ? `list[${this.#printRef(ref.of, subject)}]` : this.#printNamed(ref.name, subject)
    return ref.nullable ? `${code} | None` : code
  }

  #printNamed(name: string, subject: string): string {
    const identifier = this.#all.identifierOf.get(name)
    if (identifier === undefined) {
      if (findScalar(name) === undefined) throw unprintable(subject, `the schema declares no type ${name}`)
      return PLAIN[name] ?? `svc.${name}`
    }
    const file = this.#all.fileOf.get(name)!
    if (file !== this.file) {
      const names = this.#others.get(file) ?? new Set()
      names.add(identifier)
      this.#others.set(file, names)
    }
    return identifier
  }
}

/** Returns the name of the module of a file: `schema_parts.values`. */
export function moduleOf(file: string): string {
  return file.replace(/\.py$/, '').replaceAll('/', '.')
}
