import type { AuthoredField, AuthoredInterface, AuthoredSchema, AuthoredType } from '../../../core/doors/command.ts'
import { toWireName, typeRefs } from '../../../core/doors/front.ts'
import { keyTextsOf, leavesOf, parseFieldSet, printFieldSet, type SelectedField } from './field-set.ts'

/** An entry of `[[federation.entities]]` in the configuration, which gives a type a further key. */
export interface ConfiguredEntity {
  readonly name: string
  readonly key_fields: readonly string[]
}

/** An object type or an interface of `schema.json`: the owner of fields. */
export type Owner = AuthoredType | AuthoredInterface

/** The fields of an entity key, as paths with dots: `["sku", "variation.id"]`. */
export type EntityKey = readonly string[]

/** An entity key in `schema.json` or the configuration, before validation. */
export interface DeclaredKey {
  readonly text: string
  /** Fields of the key; `null`: `text` is not a valid field set, and `problem` says why. */
  readonly fields: readonly SelectedField[] | null
  readonly problem: string
}

/**
 * The object types and interfaces of `schema.json`, for checks of federation field sets. It finds fields by their name
 * in `schema.json` and by their GraphQL name.
 */
export class Owners {
  readonly #owners: ReadonlyMap<string, Owner>
  readonly #objects: ReadonlySet<Owner>
  readonly #configured: readonly ConfiguredEntity[]

  constructor(schema: AuthoredSchema, configured: readonly ConfiguredEntity[]) {
    const objects: readonly Owner[] = schema.types ?? []
    this.#owners = new Map([...objects, ...(schema.interfaces ?? [])].map((owner) => [owner.name, owner]))
    this.#objects = new Set(objects)
    this.#configured = configured
  }

  get(name: string): Owner | undefined {
    return this.#owners.get(name)
  }

  all(): Iterable<Owner> {
    return this.#owners.values()
  }

  names(): Iterable<string> {
    return this.#owners.keys()
  }

  isObject(owner: Owner): owner is AuthoredType {
    return this.#objects.has(owner)
  }

  /** Returns the keys of the schema, then those of the configuration, without duplicates. */
  keysOf(owner: Owner): readonly DeclaredKey[] {
    const configured = this.#configured.filter(({ name }) => name === owner.name)
    const texts = [...keyTextsOf(owner), ...configured.map(({ key_fields }) => key_fields.join(' '))]
    return [...new Set(texts)].map(readKey)
  }

  field(owner: Owner, name: string): AuthoredField | undefined {
    return owner.fields.find((field) => field.name === name || toWireName(field.name) === name)
  }

  /** Returns the type or interface of a field; for a list, that of its items. */
  behind(field: AuthoredField): Owner | undefined {
    const ref = typeRefs.parse(field.type)
    return ref === null ? undefined : this.#owners.get(typeRefs.namedTypeOf(ref).name)
  }

  /** Returns the fields of a path. The result is shorter than the path if a field does not exist. */
  walk(owner: Owner, path: readonly string[]): readonly AuthoredField[] {
    const fields: AuthoredField[] = []
    let at: Owner | undefined = owner
    for (const name of path) {
      const field: AuthoredField | undefined = at === undefined ? undefined : this.field(at, name)
      if (field === undefined) break
      fields.push(field)
      at = this.behind(field)
    }
    return fields
  }

  /** Converts a selection to wire names. */
  toWire(owner: Owner, fields: readonly SelectedField[]): string {
    return printFieldSet(fields, (path) => this.#wireName(owner, path))
  }

  /** Returns the paths to the leaves of a selection, in wire names. */
  wirePaths(owner: Owner, fields: readonly SelectedField[]): EntityKey {
    return leavesOf(fields).map((path) =>
      path.map((_, index) => this.#wireName(owner, path.slice(0, index + 1))).join('.'),
    )
  }

  #wireName(owner: Owner, path: readonly string[]): string {
    const name = path.at(-1)!
    const field = this.walk(owner, path)[path.length - 1]
    return field === undefined ? name : toWireName(field.name)
  }
}

function readKey(text: string): DeclaredKey {
  try {
    return { text, fields: parseFieldSet(text), problem: '' }
  } catch (error) {
    return { text, fields: null, problem: (error as Error).message }
  }
}

/** Tests whether the type of a field is a list. */
export function isListField({ type }: AuthoredField): boolean {
  const ref = typeRefs.parse(type)
  return ref !== null && typeRefs.isList(ref)
}
