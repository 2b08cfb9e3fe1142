import { findScalar } from '../../schema/scalars.ts'
import { parseTypeRef, type TypeRef } from '../../schema/type-ref.ts'
import { printImport } from './code.ts'
import { unprintable } from './unprintable.ts'

/**
 * How a type is declared in printed source. `handle`: by a function call such as `type('User', …)`; `class`: by a
 * class. Enums and scalars are printed before all others.
 */
export type DeclaredKind = 'enum' | 'scalar' | 'union' | 'class' | 'handle'

/** For each type of a printed schema, the file that declares it, its identifier there, and how it is declared. */
export interface Declarations {
  readonly fileOf: ReadonlyMap<string, string>
  readonly kindOf: ReadonlyMap<string, DeclaredKind>
  readonly identifierOf: ReadonlyMap<string, string>
  /** Path of the file that exports all declarations. */
  readonly index: string
}

const NUMBERS: ReadonlySet<string> = new Set(['Int', 'Float', 'Latitude', 'Longitude', 'Port', 'Percentage'])

/** Tracks, for one file that is being printed, which names are declared so far and which have to be imported. */
export class Scope {
  private readonly authoring = new Set<string>()
  private readonly others = new Map<string, Set<string>>()
  private readonly declared = new Set<string>()
  private readonly all: Declarations
  readonly file: string

  constructor(all: Declarations, file: string) {
    this.all = all
    this.file = file
  }

  /** Imports a name of `svc/authoring`. */
  use(name: string): string {
    this.authoring.add(name)
    return name
  }

  /** Marks a name as declared above all that is printed later. */
  declare(name: string): void {
    this.declared.add(name)
  }

  /** Returns the identifier of a declared type; `undefined`: the schema does not declare it. */
  identifierOf(name: string): string | undefined {
    return this.all.identifierOf.get(name)
  }

  /**
   * Prints a type for `@field(…)` and the like: `list(Post)`, and `() => list(Post)` while Post is not declared.
   * @param byName refers to classes by `ref('Post')`, for object literals whose types TypeScript would infer in a
   * circle
   */
  printType(text: string, subject: string, byName = false): string {
    const ref = parseTypeRef(text)
    if (ref === null) throw unprintable(subject, `"${text}" is no type in GraphQL notation`)
    const { code, isLate } = this.printRef(ref, subject, byName)
    return isLate ? `() => ${code}` : code
  }

  /** Prints the type of the property: `string`, `Post[] | null`. */
  printProperty(text: string): string {
    const ref = parseTypeRef(text)
    return ref === null ? 'unknown' : this.propertyOf(ref)
  }

  /** Prints the name of a type as a value: `Post`, or `() => Post` while it is not declared. */
  printName(name: string, subject: string): { readonly code: string; readonly isLate: boolean } {
    const identifier = this.all.identifierOf.get(name)
    if (identifier === undefined) {
      if (findScalar(name) === undefined) throw unprintable(subject, `the schema declares no type ${name}`)
      return { code: this.use(name), isLate: false }
    }
    const file = this.all.fileOf.get(name)!
    const kind = this.all.kindOf.get(name)
    const isValue = kind === 'enum' || kind === 'scalar'
    if (file === this.file) return { code: identifier, isLate: !this.declared.has(name) }
    // Through the index, so that files that refer to each other are evaluated in the order of the index.
    const isIndex = this.file === this.all.index
    const from = isValue || isIndex ? file : this.all.index
    const names = this.others.get(from) ?? new Set()
    names.add(identifier)
    this.others.set(from, names)
    return { code: identifier, isLate: !isValue && !isIndex }
  }

  /** Prints the imports of the file. */
  printImports(): string {
    const own = [...this.authoring].sort(compareNames)
    const others = [...this.others]
      .map(([file, names]) => printImport([...names].sort(compareNames), relativePath(this.file, file)))
      .sort()
    return [...(own.length === 0 ? [] : [printImport(own, 'svc/authoring')]), ...others].join('\n')
  }

  private printRef(
    ref: TypeRef,
    subject: string,
    byName: boolean,
  ): { readonly code: string; readonly isLate: boolean } {
    const inner = ref.kind === 'list' ? this.printRef(ref.of, subject, byName) : this.named(ref.name, subject, byName)
    const code = ref.kind === 'list' ? `${this.use('list')}(${inner.code})` : inner.code
    return { code: ref.nullable ? `${this.use('nullable')}(${code})` : code, isLate: inner.isLate }
  }

  private named(name: string, subject: string, byName: boolean) {
    const kind = this.all.kindOf.get(name)
    if (byName && kind !== undefined && kind !== 'enum' && kind !== 'scalar')
      return { code: `${this.use('ref')}('${name}')`, isLate: false }
    return this.printName(name, subject)
  }

  private propertyOf(ref: TypeRef): string {
    if (ref.kind === 'list') {
      const item = this.propertyOf(ref.of)
      const list = item.includes(' ') ? `(${item})[]` : `${item}[]`
      return ref.nullable ? `${list} | null` : list
    }
    const plain = this.plainProperty(ref.name)
    return ref.nullable && plain !== 'unknown' && plain !== 'any' ? `${plain} | null` : plain
  }

  private plainProperty(name: string): string {
    const kind = this.all.kindOf.get(name)
    if (kind === 'class') return this.all.identifierOf.get(name)!
    if (kind === 'enum') return 'string'
    if (kind !== undefined) return 'unknown'
    if (name === 'JSON') return 'unknown'
    if (name === 'GeoJSON') return 'any'
    if (name === 'Boolean') return 'boolean'
    if (name === 'Vector' || name === 'HalfVector') return 'number[]'
    return NUMBERS.has(name) ? 'number' : 'string'
  }
}

/** Compares names as formatters sort imports: letter by letter without case, and of one letter the capital first. */
function compareNames(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i += 1) {
    const [x, y] = [a[i]!, b[i]!]
    if (x === y) continue
    const [low, other] = [x.toLowerCase(), y.toLowerCase()]
    return low === other ? (x < y ? -1 : 1) : low < other ? -1 : 1
  }
  return a.length - b.length
}

function relativePath(from: string, to: string): string {
  const depth = from.split('/').length - 1
  const [folder] = from.split('/')
  if (depth === 0) return `./${to}`
  return to.startsWith(`${folder}/`) ? `./${to.slice(folder!.length + 1)}` : `../${to}`
}
