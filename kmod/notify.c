// SPDX-License-Identifier: GPL-2.0-only
/* Suspend, reboot, CPU hotplug, and devices that come and go. */
#include <linux/cpuhotplug.h>
#include <linux/pci.h>
#include <linux/platform_device.h>
#include <linux/reboot.h>
#include <linux/suspend.h>

#include "irqpace.h"

DEFINE_PER_CPU(struct irqp_cpu, irqp_cpu);
static int hotplug_state;

static int cpu_up_again(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(irqp_cpu, cpu).native_only, false);
	return 0;
}

/* On the CPU that goes, before its interrupts move. */
static int cpu_goes_down(unsigned int cpu)
{
	WRITE_ONCE(per_cpu(irqp_cpu, cpu).native_only, true);
	irqp_settle_cpu(cpu);
	return 0;
}

static int pm_event(struct notifier_block *nb, unsigned long event, void *arg)
{
	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		irqp_hold();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		irqp_release();
		break;
	}
	return NOTIFY_DONE;
}

/* After device_shutdown() a round would still call handlers; kexec comes here, too. */
static int reboot_event(struct notifier_block *nb, unsigned long event, void *arg)
{
	irqp_hold();
	return NOTIFY_DONE;
}

/* Called with the device's lock held: only ask for a look. */
static int bus_event(struct notifier_block *nb, unsigned long event, void *dev)
{
	if (event == BUS_NOTIFY_BOUND_DRIVER || event == BUS_NOTIFY_UNBOUND_DRIVER)
		irqp_scan_soon();
	return NOTIFY_DONE;
}

static struct notifier_block pm_nb = { .notifier_call = pm_event };
static struct notifier_block reboot_nb = { .notifier_call = reboot_event };
static struct notifier_block platform_nb = { .notifier_call = bus_event };
#ifdef CONFIG_PCI
static struct notifier_block pci_nb = { .notifier_call = bus_event };
#endif

int __init irqp_notify_init(void)
{
	int err;

	err = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "irqpace:online",
					cpu_up_again, cpu_goes_down);
	if (err < 0)
		return err;
	hotplug_state = err;
	err = register_pm_notifier(&pm_nb);
	if (err)
		goto no_pm;
	err = register_reboot_notifier(&reboot_nb);
	if (err)
		goto no_reboot;
	err = bus_register_notifier(&platform_bus_type, &platform_nb);
	if (err)
		goto no_platform;
#ifdef CONFIG_PCI
	err = bus_register_notifier(&pci_bus_type, &pci_nb);
	if (err)
		goto no_pci;
#endif
	return 0;

#ifdef CONFIG_PCI
no_pci:
	bus_unregister_notifier(&platform_bus_type, &platform_nb);
#endif
no_platform:
	unregister_reboot_notifier(&reboot_nb);
no_reboot:
	unregister_pm_notifier(&pm_nb);
no_pm:
	cpuhp_remove_state_nocalls(hotplug_state);
	return err;
}

void irqp_notify_exit(void)
{
#ifdef CONFIG_PCI
	bus_unregister_notifier(&pci_bus_type, &pci_nb);
#endif
	bus_unregister_notifier(&platform_bus_type, &platform_nb);
	unregister_reboot_notifier(&reboot_nb);
	unregister_pm_notifier(&pm_nb);
	cpuhp_remove_state_nocalls(hotplug_state);
}
