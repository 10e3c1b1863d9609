// The profiles of /configz as lists of plugins.

const MULTI = 'multiPoint';

// [{name, plugins: [{plugin, weight, points}]}]. points says where the plugin is enabled or disabled in addition to the points
// that it implements.
export function profilesOf(configz) {
  return (configz.componentconfig?.profiles ?? []).map((profile) => ({name: profile.schedulerName ?? '', plugins: pluginsOf(profile.plugins ?? {})}));
}

function pluginsOf(points) {
  const found = new Map();
  const entry = (plugin) => {
    if (!found.has(plugin)) found.set(plugin, {plugin, weight: null, points: []});
    return found.get(plugin);
  };
  for (const {name, weight} of points[MULTI]?.enabled ?? []) {
    entry(name).weight = weight || null;
    entry(name).points.push('all that it implements');
  }
  for (const [point, {enabled = [], disabled = []}] of Object.entries(points)) {
    if (point === MULTI) continue;
    for (const {name, weight} of enabled ?? []) {
      entry(name).points.push(weight ? `${point} (weight ${weight})` : point);
      if (point === 'score' && weight) entry(name).weight = weight;
    }
    for (const {name} of disabled ?? []) entry(name).points.push(`not ${point}`);
  }
  return [...found.values()];
}
