import { SvcError } from '../../base/errors/svc-error.ts'
import type { CompiledFunction, CompiledSchema, CompiledSource } from '../compiled.ts'
import type { CompiledHierarchy } from '../compiled-hierarchy.ts'
import type { Hierarchy, NamedType } from '../model.ts'
import { namedTypeOf, parseTypeRef, type TypeRef } from '../type-ref.ts'

/**
 * Finds elements of a compiled schema by name while `linkSchema` resolves references. A name that is not found means a
 * damaged file, since the compiler has checked all names.
 */
export class LinkContext {
  readonly compiled: CompiledSchema
  readonly types: Map<string, NamedType>
  /** Ids of the operators that the dialect of the schema does not have. */
  readonly lackingOperators: ReadonlySet<string>
  private readonly hierarchies: ReadonlyMap<string, CompiledHierarchy>
  private readonly refs = new Map<string, TypeRef>()

  constructor(compiled: CompiledSchema, types: Map<string, NamedType>) {
    this.compiled = compiled
    this.types = types
    this.lackingOperators = new Set(compiled.lacking_operators)
    this.hierarchies = new Map((compiled.hierarchies ?? []).map((hierarchy) => [hierarchy.name, hierarchy]))
  }

  /** Parses type notation, once per text, because large schemas repeat a few hundred texts. */
  ref(text: string): TypeRef {
    const known = this.refs.get(text)
    if (known !== undefined) return known
    const ref = parseTypeRef(text)
    if (ref === null) throw this.broken(`"${text}" is not a type`)
    this.refs.set(text, deepFreeze(ref))
    return ref
  }

  named(ref: TypeRef): NamedType {
    return this.type(namedTypeOf(ref).name)
  }

  type(name: string): NamedType {
    const type = this.types.get(name)
    if (type === undefined) throw this.broken(`it names the type "${name}" and does not hold it`)
    return type
  }

  hierarchy(name: string): Hierarchy {
    const hierarchy = this.hierarchies.get(name)
    if (hierarchy === undefined) throw this.broken(`it names the hierarchy "${name}" and does not hold it`)
    const type = this.type(hierarchy.type)
    if (type.kind !== 'object')
      throw this.broken(`the hierarchy "${name}" is of ${type.name}, which is no type of rows`)
    return Object.freeze({ type, path: hierarchy.path, id: hierarchy.id })
  }

  source(name: string): CompiledSource {
    const source = Object.hasOwn(this.compiled.sources, name) ? this.compiled.sources[name] : undefined
    if (source === undefined) throw this.broken(`it names the source "${name}" and does not hold it`)
    return source
  }

  function(name: string): CompiledFunction {
    const fn = Object.hasOwn(this.compiled.functions, name) ? this.compiled.functions[name] : undefined
    if (fn === undefined) throw this.broken(`it names the function "${name}" and does not hold it`)
    return fn
  }

  broken(why: string): SvcError {
    return new SvcError('SVC_SCHEMA_FORMAT', `The compiled schema cannot be used: ${why}. Run \`svc compile\` again.`)
  }
}

function deepFreeze(ref: TypeRef): TypeRef {
  if (ref.kind === 'list') deepFreeze(ref.of)
  return Object.freeze(ref)
}
