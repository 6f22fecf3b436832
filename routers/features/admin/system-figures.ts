import { z } from 'zod';
import type { HostFigures } from '../../base/ports/host.js';

/**
 * Figures of the machine and the process under the names that older clients read: shares from 0 to 1, seconds and
 * bytes. 0 where the platform does not tell.
 */
export const systemFigures = z.object({
  'system.cpu.usage': z.number(),
  'system.cpu.count': z.int(),
  'process.cpu.usage': z.number(),
  'process.uptime': z.number(),
  'process.start.time': z.number(),
  'jvm.memory.used': z.int(),
  'jvm.memory.committed': z.int(),
  'jvm.memory.max': z.int(),
  'disk.free': z.int(),
  'disk.total': z.int(),
  'process.files.open': z.int(),
  'process.files.max': z.int(),
});

/** The figures under the names of older clients. */
export const toSystemFigures = (host: HostFigures): z.output<typeof systemFigures> => ({
  'system.cpu.usage': host.systemCpu,
  'system.cpu.count': host.processors,
  'process.cpu.usage': host.processCpu,
  'process.uptime': host.uptimeMs / 1000,
  'process.start.time': host.startedAt / 1000,
  'jvm.memory.used': host.memory.used,
  'jvm.memory.committed': host.memory.committed,
  'jvm.memory.max': host.memory.max,
  'disk.free': host.disk.free,
  'disk.total': host.disk.total,
  'process.files.open': host.openFiles ?? 0,
  'process.files.max': host.maxFiles ?? 0,
});
