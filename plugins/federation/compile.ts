import { defineCompilePart } from '../../core/doors/command.ts'
import { toWireName } from '../../core/doors/front.ts'
import { didYouMean } from '../../core/doors/plugin.ts'
import type { FederationBlock } from './block.ts'
import { checkComposed } from './check/check-composed.ts'
import { checkField } from './check/check-field.ts'
import { checkType } from './check/check-type.ts'
import { parseFieldSet } from './check/field-set.ts'
import { type EntityKey, Owners } from './check/owners.ts'
import { LABELLED, SPEC_DIRECTIVES, versionOf } from './check/spec-directives.ts'
import { unreadableKey } from './check/unreadable-key.ts'
import { marksOf } from './marks-of.ts'
import type { FederationOptions } from './options.ts'

/**
 * Compile part of the federation plugin. It checks the federation keys of `schema.json`, and writes the data for the
 * subgraph SDL and for `_entities` into the compiled schema.
 */
export default defineCompilePart<FederationOptions>({
  compile({ schema, options, fault, warn }) {
    const { entities, compose_directives: compose } = options
    const owners = new Owners(schema, entities)
    for (const { name } of entities) {
      if (owners.get(name) !== undefined) continue
      fault('entity', `[[federation.entities]] names "${name}", which is no type.${didYouMean(name, owners.names())}`)
    }
    checkComposed(schema, options.compose_directives, fault)
    for (const owner of owners.all()) {
      checkType(owners, owner, fault)
      for (const field of owner.fields) checkField(owners, owner, field, { fault, warn })
    }
    const marks = marksOf(schema, owners, options.authorization_directives)
    const used = usedDirectives(marks)
    const directives = compose.length === 0 ? used : [...used, 'composeDirective'].sort()
    const hasLabel = [...owners.all()].some(({ fields }) => fields.some((field) => field.override_label !== undefined))
    const block: FederationBlock = {
      version: versionOf(hasLabel ? [...directives, LABELLED] : directives),
      imports: directives,
      compose,
      entities: entitiesOf(owners),
      required: requiredOf(owners),
      marks,
    }
    // Core adds requirements of keys of the schema itself.
    return { block, requires: entities.length > 0 ? ['federation'] : [] }
  },
  check(model, { schema, options, fault }) {
    const owners = new Owners(schema, options.entities)
    for (const owner of owners.all()) {
      if (owner.resolvable === false) continue
      for (const key of owners.keysOf(owner)) {
        const problem = unreadableKey(model, owners, owner, key)
        if (problem !== null) fault('key', problem, owner)
      }
    }
  },
})

/** Returns the used directives of the specification. Directives of the author have their own `@link`. */
function usedDirectives(marks: FederationBlock['marks']): readonly string[] {
  const names = Object.values(marks)
    .flat()
    .map((mark) => /^@(\w+)/.exec(mark)?.[1] ?? '')
  return [...new Set(names)].filter((name) => name in SPEC_DIRECTIVES).sort()
}

function entitiesOf(owners: Owners): FederationBlock['entities'] {
  const entities: Record<string, readonly EntityKey[]> = {}
  for (const owner of owners.all()) {
    if (owner.resolvable === false) continue
    const keys = owners
      .keysOf(owner)
      .flatMap(({ fields }) => (fields === null ? [] : [owners.wirePaths(owner, fields)]))
    if (keys.length > 0) entities[owner.name] = keys
  }
  return entities
}

function requiredOf(owners: Owners): FederationBlock['required'] {
  const required: Record<string, readonly string[]> = {}
  for (const owner of owners.all()) {
    for (const { name, requires, sql } of owner.fields) {
      if (requires === undefined || sql === undefined) continue
      try {
        required[`${owner.name}.${toWireName(name)}`] = owners.wirePaths(owner, parseFieldSet(requires))
      } catch {
        // The check of the field reports it.
      }
    }
  }
  return required
}
