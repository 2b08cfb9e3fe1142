import type { CompileContext } from '../ground/context.ts'
import { type CheckedKeys, checkKeys } from '../ground/key-check.ts'
import { checkAbstractTypes } from './abstract-types.ts'
import { checkAccess } from './access.ts'
import { checkAggregateNames } from './aggregates.ts'
import { checkDatabases } from './databases.ts'
import { checkDefaults } from './defaults.ts'
import { checkDeprecations } from './deprecations.ts'
import { checkEntities } from './entities.ts'
import { checkFieldOptions } from './field-options.ts'
import { checkHierarchyNames } from './hierarchies.ts'
import { checkInputCycles } from './inputs.ts'
import { checkNames } from './names.ts'
import { checkOpenTypes } from './open-types.ts'
import { checkReferences } from './references.ts'
import { checkRelay } from './relay.ts'
import { checkTypeRules } from './type-rules.ts'

/**
 * Runs all checks that work on the authored schema, before its names are resolved. A fault does not stop the later
 * checks, so that the author sees all faults at once.
 * @param owned keys of `schema.json` that plugins define, with their checks
 */
export function runChecks(context: CompileContext, owned: readonly CheckedKeys[]): void {
  checkNames(context)
  checkReferences(context)
  checkAbstractTypes(context)
  checkInputCycles(context)
  checkDefaults(context)
  checkDeprecations(context)
  checkFieldOptions(context)
  checkHierarchyNames(context)
  checkAccess(context)
  checkTypeRules(context)
  checkOpenTypes(context)
  checkRelay(context)
  checkKeys(context, owned)
  checkEntities(context)
  checkDatabases(context)
  checkAggregateNames(context)
}
