import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { type Metric, single } from './metric.js';

const LAG_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** Gauges of the process and its event loop. Lag and utilization are measured since the previous reading. */
export function createProcessGauges(): () => Metric[] {
  const lag = monitorEventLoopDelay({ resolution: LAG_RESOLUTION_MS });
  lag.enable();
  let busySince = performance.eventLoopUtilization();

  return () => {
    const memory = process.memoryUsage();
    const cpu = process.cpuUsage();
    const busy = performance.eventLoopUtilization(busySince);
    busySince = performance.eventLoopUtilization();
    // The sampling interval itself is not lag.
    const lagOf = (quantile: number) =>
      Math.max(0, lag.percentile(quantile * 100) / NANOSECONDS - LAG_RESOLUTION_MS / 1000);
    const lags = [0.5, 0.99].map((quantile) => ({
      suffix: '',
      labels: { quantile: String(quantile) },
      value: lagOf(quantile),
    }));
    lag.reset();
    const max = { combine: 'max' } as const;
    return [
      single('holdall_processes', 'Processes that serve requests.', 1),
      single(
        'process_start_time_seconds',
        'Start time of the youngest process.',
        performance.timeOrigin / 1000,
        max,
      ),
      single('process_cpu_seconds_total', 'Processor time used.', (cpu.user + cpu.system) / 1e6, {
        type: 'counter',
      }),
      single('process_resident_memory_bytes', 'Memory in use.', memory.rss),
      single('nodejs_heap_used_bytes', 'JavaScript heap in use.', memory.heapUsed),
      single('nodejs_external_memory_bytes', 'Memory of buffers and native objects.', memory.external),
      {
        name: 'nodejs_eventloop_lag_seconds',
        help: 'How late timers ran.',
        type: 'gauge',
        combine: 'max',
        samples: lags,
      },
      single(
        'nodejs_eventloop_utilization',
        'Share of time that the busiest event loop was active.',
        busy.utilization,
        max,
      ),
    ];
  };
}
