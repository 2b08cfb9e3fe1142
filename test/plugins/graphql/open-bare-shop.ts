import type { PluginInstance } from '../../../core/kernel/kernel-options.ts'
import graphql from '../../../plugins/graphql/index.ts'
import { type BareApp, type BareAppOptions, createBareApp } from '../../helpers/bare-app.ts'
import { entry } from '../../helpers/kernel.ts'
import type { TestLike } from '../../helpers/services.ts'
import { linkShop } from './shop.ts'

/** The schema of the shop over GraphQL, with further plugins and without a database server. */
export function openBareShop(
  t: TestLike,
  plugins: readonly PluginInstance[],
  options: Omit<BareAppOptions, 'plugins' | 'schema'> = {},
): Promise<BareApp> {
  return createBareApp(t, { ...options, plugins: [entry(graphql), ...plugins], schema: linkShop() })
}
