import type { Preset } from '../core/config/preset.ts'
import { full } from './full.ts'
import { minimal } from './minimal.ts'
import { standard } from './standard.ts'

/** All presets, the smallest first. The last one contains all plugins of svc. */
export const PRESETS: readonly Preset[] = [minimal, standard, full]
